using System.ComponentModel;
using Mux.Serialization;

namespace Mux.Contracts;

/// <summary>
/// The messages of a unary method: all that a caller needs. A server needs <see cref="IUnaryMethod{TService,TRequest,TResponse}"/>.
/// </summary>
/// <typeparam name="TRequest">The request message; <see cref="MuxUnit"/> for no arguments, a generated message for several.</typeparam>
/// <typeparam name="TResponse">The reply message, or <see cref="MuxUnit"/>; a <see cref="MuxResult{T}"/> of it if the contract returns one.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IUnaryMessages<TRequest, TResponse> : IMethod
{
    /// <summary>Gets a value indicating whether <typeparamref name="TResponse"/> is a <see cref="MuxResult{T}"/>, which can hold a failure.</summary>
    static virtual bool ReturnsResult => false;

    /// <summary>Writes the request. If it throws, only this call fails, and nothing of it is sent.</summary>
    static abstract void EncodeRequest(ref MessageWriter writer, TRequest request);

    /// <summary>Reads a request. Must copy what it keeps: the bytes are valid only during the call.</summary>
    /// <exception cref="InvalidMessageException">The bytes are not such a message.</exception>
    static abstract TRequest DecodeRequest(ReadOnlySpan<byte> body);

    /// <summary>Writes the reply. If it throws, the caller gets Internal, executed.</summary>
    static abstract void EncodeResponse(ref MessageWriter writer, TResponse response);

    /// <summary>Reads a reply. Must copy what it keeps: the bytes are valid only during the call.</summary>
    /// <exception cref="InvalidMessageException">The bytes are not such a message.</exception>
    static abstract TResponse DecodeResponse(ReadOnlySpan<byte> body);

    /// <summary>If <see cref="ReturnsResult"/>: creates the result of a call that failed.</summary>
    static virtual TResponse ToResult(MuxFailure failure) => throw new NotSupportedException();

    /// <summary>If <see cref="ReturnsResult"/>: gets the failure in a result, or null.</summary>
    static virtual MuxFailure? FailureOf(TResponse response) => null;
}
