using System.ComponentModel;

namespace Mux.Contracts;

/// <summary>Reads the affinity key of a request, which the contract declares with <see cref="MuxKeyAttribute"/>, and hashes it.</summary>
/// <param name="request">The request message. May be null: then it has no key.</param>
/// <returns>The hash, as of <see cref="KeyHash"/>; 0 if the request has no key.</returns>
[EditorBrowsable(EditorBrowsableState.Never)]
public delegate ulong RequestKey<TRequest>(in TRequest request);
