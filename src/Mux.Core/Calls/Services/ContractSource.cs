using Mux.Services;

namespace Mux.Calls;

/// <summary>The instances of a contract without its type, so that handlers of all contracts share code. Safe for concurrent use.</summary>
internal sealed class ContractSource<TService>(ServiceSource<TService> services) : ServiceSource<object>
    where TService : class
{
    public override object? Singleton => services.Singleton;

    public override bool TakesCaller => services.TakesCaller;

    public override ServiceLease<object> Open() => Untyped(services.Open());

    public override ServiceLease<object> Open(MuxPeer caller) => Untyped(services.Open(caller));

    private static ServiceLease<object> Untyped(ServiceLease<TService> lease) => new(lease.Service, lease.Scope);
}
