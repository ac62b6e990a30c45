using System.ComponentModel;

namespace Mux.Contracts;

/// <summary>
/// The messages of a unary method: all that a caller needs. A server needs <see cref="IUnaryMethod{TService,TRequest,TResponse}"/>.
/// </summary>
/// <typeparam name="TRequest">The request message; <see cref="MuxUnit"/> for no arguments, a generated message for several.</typeparam>
/// <typeparam name="TResponse">The reply message, or <see cref="MuxUnit"/>; a <see cref="MuxResult{T}"/> of it if the contract returns one.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IUnaryMessages<TRequest, TResponse> : IMethodMessages<TRequest, TResponse>
{
    /// <summary>Gets a value indicating whether <typeparamref name="TResponse"/> is a <see cref="MuxResult{T}"/>, which can hold a failure.</summary>
    static virtual bool ReturnsResult => false;

    /// <summary>If <see cref="ReturnsResult"/>: creates the result of a call that failed.</summary>
    static virtual TResponse ToResult(MuxFailure failure) => throw new NotSupportedException();

    /// <summary>If <see cref="ReturnsResult"/>: gets the failure in a result, or null.</summary>
    static virtual MuxFailure? FailureOf(TResponse response) => null;
}
