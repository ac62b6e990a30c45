namespace Mux.Services;

/// <summary>The instances of a contract without its type, so that handlers of all contracts share code. Safe for concurrent use.</summary>
internal sealed class ContractSource<TService>(ServiceSource<TService> services) : ServiceSource<object>
    where TService : class
{
    public override object? Singleton => services.Singleton;

    public override ServiceLease<object> Open()
    {
        var lease = services.Open();
        return new(lease.Service, lease.Scope);
    }
}
