using System.ComponentModel;

namespace Mux.Contracts;

/// <summary>Calls a method with a response stream on an implementation.</summary>
/// <param name="service">The implementation of the contract interface.</param>
/// <param name="request">The arguments other than the stream.</param>
/// <param name="items">The request stream, empty if there is none; enumerated at most once, and not after the response stream has ended.</param>
/// <param name="options">The options that came with the call; null unless <see cref="MethodDescriptor.TakesOptions"/>.</param>
/// <param name="cancellationToken">Fires on cancel, deadline and connection loss. The result is enumerated with the same token.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public delegate IAsyncEnumerable<TResponse> ResponseStreamInvocation<TRequest, TItem, TResponse>(
    object service, TRequest request, IAsyncEnumerable<TItem> items, MuxCallOptions? options, CancellationToken cancellationToken);
