namespace Mux.Services;

/// <summary>Where a server gets the instance that handles a call. Safe for concurrent use.</summary>
/// <typeparam name="TService">The contract interface.</typeparam>
public abstract class ServiceSource<TService>
    where TService : class
{
    /// <summary>The one instance that handles all calls, or null if each call gets its own from <see cref="Open"/>.</summary>
    public virtual TService? Singleton => null;

    /// <summary>
    /// What the instances are, if that is known: a server refuses implementations with attributes of authorization, which belong to the contract.
    /// </summary>
    /// <value>The type of <see cref="Singleton"/> unless overridden. Null for nobody knows.</value>
    public virtual Type? ImplementationType => Singleton?.GetType();

    /// <summary>An instance for one call. An exception fails that call with <see cref="MuxStatus.Internal"/>, not executed.</summary>
    public abstract ServiceLease<TService> Open();
}
