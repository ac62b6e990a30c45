using Mux.Serialization;

namespace Mux.Contracts;

/// <summary>The messages of a unary method: all that a caller needs of it. What serves it is <see cref="IUnaryMethod{TService,TRequest,TResponse}"/>.</summary>
/// <typeparam name="TRequest">The request message; <see cref="MuxUnit"/> for no arguments, a generated message for several.</typeparam>
/// <typeparam name="TResponse">The reply message, or <see cref="MuxUnit"/>; <see cref="MuxResult{T}"/> of it where the contract says so.</typeparam>
public interface IUnaryMessages<TRequest, TResponse> : IMethod
{
    /// <summary>Whether <typeparamref name="TResponse"/> is a <see cref="MuxResult{T}"/>, which takes failures too.</summary>
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
}
