using System.ComponentModel;

namespace Mux.Contracts;

/// <summary>
/// A method with a stream in at least one direction. Its <see cref="MethodDescriptor.Shape"/> says which of the two members it implements.
/// </summary>
/// <typeparam name="TService">The contract interface.</typeparam>
/// <typeparam name="TRequest">The arguments other than the stream, which are sent first; <see cref="MuxUnit"/> for none.</typeparam>
/// <typeparam name="TItem">An item of the request stream; <see cref="ByteChunk"/> for bytes, <see cref="MuxUnit"/> if there is no request stream.</typeparam>
/// <typeparam name="TResponse">An item of the response stream, or the one reply; <see cref="ByteChunk"/> for bytes.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IStreamMethod<TService, TRequest, TItem, TResponse> : IStreamMessages<TRequest, TItem, TResponse>
    where TService : class
{
    /// <summary>Calls a method with a request stream and one reply on an implementation.</summary>
    /// <param name="service">The implementation.</param>
    /// <param name="request">The arguments other than the stream.</param>
    /// <param name="items">The request stream; enumerated at most once, and not after the method has returned.</param>
    /// <param name="options">The options that came with the call; null unless <see cref="MethodDescriptor.TakesOptions"/>.</param>
    /// <param name="cancellationToken">Fires on cancel, deadline and connection loss.</param>
    static virtual ValueTask<TResponse> InvokeAsync(
        TService service, TRequest request, IAsyncEnumerable<TItem> items, MuxCallOptions? options, CancellationToken cancellationToken) =>
        throw new NotSupportedException();

    /// <summary>Calls a method with a response stream on an implementation.</summary>
    /// <param name="service">The implementation.</param>
    /// <param name="request">The arguments other than the stream.</param>
    /// <param name="items">The request stream, empty if there is none; enumerated at most once, and not after the response stream has ended.</param>
    /// <param name="options">The options that came with the call; null unless <see cref="MethodDescriptor.TakesOptions"/>.</param>
    /// <param name="cancellationToken">Fires on cancel, deadline and connection loss. The result is enumerated with the same token.</param>
    static virtual IAsyncEnumerable<TResponse> Invoke(
        TService service, TRequest request, IAsyncEnumerable<TItem> items, MuxCallOptions? options, CancellationToken cancellationToken) =>
        throw new NotSupportedException();
}
