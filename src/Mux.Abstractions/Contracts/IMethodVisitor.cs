namespace Mux.Contracts;

/// <summary>
/// Receives the methods of a contract with their types, so that the receiver can build generic code for each without reflection. One that does not care for
/// streams leaves their members out.
/// </summary>
/// <typeparam name="TService">The contract interface.</typeparam>
public interface IMethodVisitor<TService>
    where TService : class
{
    /// <summary>One request, one reply or none.</summary>
    void Unary<TRequest, TResponse, TMethod>()
        where TMethod : struct, IUnaryMethod<TService, TRequest, TResponse>;

    /// <summary>A stream, one reply or none.</summary>
    void RequestStream<TRequest, TItem, TResponse, TMethod>()
        where TMethod : struct, IRequestStreamMethod<TService, TRequest, TItem, TResponse>
    {
    }

    /// <summary>A stream comes back, whether one is sent or not.</summary>
    void ResponseStream<TRequest, TItem, TResponse, TMethod>()
        where TMethod : struct, IResponseStreamMethod<TService, TRequest, TItem, TResponse>
    {
    }
}
