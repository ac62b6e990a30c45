using System.ComponentModel;

namespace Mux.Contracts;

/// <summary>
/// A method as the runtime knows it at compile time. The generator emits one empty struct per method, which implements this interface with static members: the
/// runtime's generic code is specialized per method, and everything below it is inlined.
/// </summary>
/// <typeparam name="TService">The contract interface.</typeparam>
/// <typeparam name="TRequest">The request message; <see cref="MuxUnit"/> for no arguments, a generated message for several.</typeparam>
/// <typeparam name="TResponse">The reply message, or <see cref="MuxUnit"/>; a <see cref="MuxResult{T}"/> of it if the contract returns one.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IUnaryMethod<TService, TRequest, TResponse> : IUnaryMessages<TRequest, TResponse>
    where TService : class
{
    /// <summary>Calls the method on an implementation.</summary>
    /// <param name="service">The implementation.</param>
    /// <param name="request">The arguments.</param>
    /// <param name="options">The options that came with the call; null unless <see cref="MethodDescriptor.TakesOptions"/>.</param>
    /// <param name="cancellationToken">Fires on cancel, deadline and connection loss.</param>
    static abstract ValueTask<TResponse> InvokeAsync(TService service, TRequest request, MuxCallOptions? options, CancellationToken cancellationToken);
}
