namespace Mux.Contracts;

/// <summary>
/// All there is to know about one method at compile time. The generator emits one empty struct per method that implements this with
/// static members, so that the runtime's generic code is specialized per method and everything below it is inlined.
/// </summary>
/// <typeparam name="TService">The contract interface.</typeparam>
/// <typeparam name="TRequest">The request message; <see cref="MuxUnit"/> for no arguments, a generated message for several.</typeparam>
/// <typeparam name="TResponse">The reply message, or <see cref="MuxUnit"/>; <see cref="MuxResult{T}"/> of it where the contract says so.</typeparam>
public interface IUnaryMethod<TService, TRequest, TResponse> : IUnaryMessages<TRequest, TResponse>
    where TService : class
{
    /// <summary>Calls the method on an implementation.</summary>
    /// <param name="service">The implementation.</param>
    /// <param name="request">Its arguments.</param>
    /// <param name="options">What came with the call; null unless <see cref="MethodDescriptor.TakesOptions"/>.</param>
    /// <param name="cancellationToken">Fires on cancel, deadline and connection loss.</param>
    static abstract ValueTask<TResponse> InvokeAsync(TService service, TRequest request, MuxCallOptions? options, CancellationToken cancellationToken);
}
