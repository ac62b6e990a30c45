using System.ComponentModel;

namespace Mux.Contracts;

/// <summary>Calls a method with a request stream and one reply on an implementation.</summary>
/// <param name="service">The implementation of the contract interface.</param>
/// <param name="request">The arguments other than the stream.</param>
/// <param name="items">The request stream; enumerated at most once, and not after the method has returned.</param>
/// <param name="options">The options that came with the call; null unless <see cref="MethodDescriptor.TakesOptions"/>.</param>
/// <param name="cancellationToken">Fires on cancel, deadline and connection loss.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public delegate ValueTask<TResponse> RequestStreamInvocation<TRequest, TItem, TResponse>(
    object service, TRequest request, IAsyncEnumerable<TItem> items, MuxCallOptions? options, CancellationToken cancellationToken);
