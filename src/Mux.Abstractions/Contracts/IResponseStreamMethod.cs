namespace Mux.Contracts;

/// <summary>A method that answers with a stream, whether it takes one or not.</summary>
/// <inheritdoc cref="IStreamMethod{TService,TRequest,TItem,TResponse}"/>
public interface IResponseStreamMethod<TService, TRequest, TItem, TResponse> : IStreamMethod<TService, TRequest, TItem, TResponse>
    where TService : class
{
    /// <summary>Calls the method on an implementation.</summary>
    /// <param name="service">The implementation.</param>
    /// <param name="request">Its arguments beside the stream.</param>
    /// <param name="items">The request stream, empty if there is none; enumerated at most once, and not after the response stream has ended.</param>
    /// <param name="options">What came with the call; null unless <see cref="MethodDescriptor.TakesOptions"/>.</param>
    /// <param name="cancellationToken">Fires on cancel, deadline and connection loss. The result is enumerated with the same token.</param>
    static abstract IAsyncEnumerable<TResponse> Invoke(TService service, TRequest request, IAsyncEnumerable<TItem> items, CallOptions? options, CancellationToken cancellationToken);
}
