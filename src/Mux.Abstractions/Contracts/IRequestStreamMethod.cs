namespace Mux.Contracts;

/// <summary>A method that takes a stream and answers once.</summary>
/// <inheritdoc cref="IStreamMethod{TService,TRequest,TItem,TResponse}"/>
public interface IRequestStreamMethod<TService, TRequest, TItem, TResponse> : IStreamMethod<TService, TRequest, TItem, TResponse>
    where TService : class
{
    /// <summary>Calls the method on an implementation.</summary>
    /// <param name="service">The implementation.</param>
    /// <param name="request">Its arguments beside the stream.</param>
    /// <param name="items">The stream; enumerated at most once, and not after the method has returned.</param>
    /// <param name="options">What came with the call; null unless <see cref="MethodDescriptor.TakesOptions"/>.</param>
    /// <param name="cancellationToken">Fires on cancel, deadline and connection loss.</param>
    static abstract ValueTask<TResponse> InvokeAsync(TService service, TRequest request, IAsyncEnumerable<TItem> items, CallOptions? options, CancellationToken cancellationToken);
}
