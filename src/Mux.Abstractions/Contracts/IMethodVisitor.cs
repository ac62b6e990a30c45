using System.ComponentModel;

namespace Mux.Contracts;

/// <summary>
/// Receives the methods of a contract with their types, so that it can build generic code for each without reflection. A visitor that does not handle streams
/// need not implement their member.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IMethodVisitor
{
    /// <summary>Receives a method with one request and one reply or none.</summary>
    void Unary<TRequest, TResponse>(UnaryMethod<TRequest, TResponse> method);

    /// <summary>Receives a method with a stream in at least one direction.</summary>
    void Stream<TRequest, TItem, TResponse>(StreamMethod<TRequest, TItem, TResponse> method)
    {
    }
}
