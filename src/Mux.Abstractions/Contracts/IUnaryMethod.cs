using Mux.Serialization;

namespace Mux.Contracts;

/// <summary>
/// All there is to know about one method at compile time. The generator emits one empty struct per method that implements this with
/// static members, so that the runtime's generic code is specialized per method and everything below it is inlined.
/// </summary>
/// <typeparam name="TService">The contract interface.</typeparam>
/// <typeparam name="TRequest">The request message; <see cref="Unit"/> for no arguments, a generated message for several.</typeparam>
/// <typeparam name="TResponse">The reply message, or <see cref="Unit"/>; <see cref="Result{T}"/> of it where the contract says so.</typeparam>
public interface IUnaryMethod<TService, TRequest, TResponse> : IMethod
    where TService : class
{
    /// <summary>Whether <typeparamref name="TResponse"/> is a <see cref="Result{T}"/>, which takes failures too.</summary>
    static virtual bool ReturnsResult => false;

    /// <summary>Writes the request. May throw; then the call fails alone and nothing of it is sent.</summary>
    static abstract void EncodeRequest(ref MessageWriter writer, TRequest request);

    /// <summary>Reads a request. Must copy whatever it keeps: the bytes are only valid during the call.</summary>
    /// <exception cref="InvalidMessageException">The bytes are not such a message.</exception>
    static abstract TRequest DecodeRequest(ReadOnlySpan<byte> body);

    /// <summary>Writes the reply. May throw; then the caller sees Internal, executed.</summary>
    static abstract void EncodeResponse(ref MessageWriter writer, TResponse response);

    /// <summary>Reads a reply. Must copy whatever it keeps: the bytes are only valid during the call.</summary>
    /// <exception cref="InvalidMessageException">The bytes are not such a message.</exception>
    static abstract TResponse DecodeResponse(ReadOnlySpan<byte> body);

    /// <summary>Where <see cref="ReturnsResult"/>: the result of a call that failed.</summary>
    static virtual TResponse ToResult(MuxFailure failure) => throw new NotSupportedException();

    /// <summary>Where <see cref="ReturnsResult"/>: the failure in a result, or null.</summary>
    static virtual MuxFailure? FailureOf(TResponse response) => null;

    /// <summary>Calls the method on an implementation.</summary>
    /// <param name="service">The implementation.</param>
    /// <param name="request">Its arguments.</param>
    /// <param name="options">What came with the call; null unless <see cref="MethodDescriptor.TakesOptions"/>.</param>
    /// <param name="cancellationToken">Fires on cancel, deadline and connection loss.</param>
    static abstract ValueTask<TResponse> InvokeAsync(TService service, TRequest request, CallOptions? options, CancellationToken cancellationToken);
}
