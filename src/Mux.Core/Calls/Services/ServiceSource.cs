using Mux.Engine;

namespace Mux.Services;

/// <summary>Provides the service instances that handle the calls of a server. Safe for concurrent use.</summary>
/// <typeparam name="TService">The contract interface.</typeparam>
public abstract class ServiceSource<TService>
    where TService : class
{
    /// <summary>Gets the single instance that handles all calls, or null if <see cref="Open()"/> provides an instance for each call.</summary>
    public virtual TService? Singleton => null;

    /// <summary>
    /// Gets the type of the instances, if it is known. A server rejects implementations with authorization attributes, which belong on the contract.
    /// </summary>
    /// <value>The type of <see cref="Singleton"/> unless overridden. Null if it is not known.</value>
    public virtual Type? ImplementationType => Singleton?.GetType();

    /// <summary>Gets an instance for one call. If it throws, the call fails with <see cref="MuxStatus.Internal"/>, not executed.</summary>
    public abstract ServiceLease<TService> Open();

    /// <summary>Gets a value indicating whether instances belong to connections, so that calls are served by <see cref="Open(MuxPeer)"/>.</summary>
    public virtual bool TakesCaller => false;

    /// <summary>Gets an instance for one call of a peer.</summary>
    /// <param name="caller">The peer that makes the call.</param>
    /// <inheritdoc cref="Open()"/>
    public virtual ServiceLease<TService> Open(MuxPeer caller) => Open();

    internal ServiceLease<TService> OpenFor(Session session) => TakesCaller && session.Caller is { } caller ? Open(caller) : Open();
}
