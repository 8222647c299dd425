import React from 'react';
import Layout from '@theme/Layout';

export default function Support() {
  return <Layout title="Support"><main>Ask in the forum.</main></Layout>;
}
