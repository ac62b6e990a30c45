using System.ComponentModel;

namespace Mux.Contracts;

/// <summary>Calls a method with one request and one reply or none on an implementation.</summary>
/// <param name="service">The implementation of the contract interface.</param>
/// <param name="request">The arguments.</param>
/// <param name="options">The options that came with the call; null unless <see cref="MethodDescriptor.TakesOptions"/>.</param>
/// <param name="cancellationToken">Fires on cancel, deadline and connection loss.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public delegate ValueTask<TResponse> UnaryInvocation<TRequest, TResponse>(
    object service, TRequest request, MuxCallOptions? options, CancellationToken cancellationToken);
