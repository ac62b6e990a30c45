namespace Mux.Contracts;

/// <summary>Receives the methods of a contract with their types, so that the receiver can build generic code for each without reflection.</summary>
/// <typeparam name="TService">The contract interface.</typeparam>
public interface IMethodVisitor<TService>
    where TService : class
{
    /// <summary>One request, one reply or none.</summary>
    void Unary<TRequest, TResponse, TMethod>()
        where TMethod : struct, IUnaryMethod<TService, TRequest, TResponse>;
}
