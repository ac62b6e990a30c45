using System.Reflection;
using System.Runtime.Loader;
using Microsoft.Extensions.DependencyInjection;
using Mux.DependencyInjection;

namespace Mux.Tests.Contracts;

/// <summary>
/// What the generator put into the module initializer of a contract's assembly has run when a proxy is made or a service is added, though nothing else of that assembly is
/// used. The program in Mux.Tests.Trimmed shows the same of an assembly that was trimmed.
/// </summary>
public sealed class UntouchedAssemblyTests
{
    private readonly Type _contract = LoadUntouched();

    [Fact]
    public void A_proxy_is_made_of_a_contract_whose_assembly_has_run_nothing()
    {
        using var channel = MuxChannel.Create("mux://127.0.0.1:1");
        var proxy = Call(typeof(MuxChannel).GetMethod(nameof(MuxChannel.CreateProxy))!, channel);
        Assert.IsAssignableFrom(_contract, proxy);
    }

    [Fact]
    public void A_proxy_is_added_of_a_contract_whose_assembly_has_run_nothing()
    {
        var services = new ServiceCollection();
        Call(typeof(IMuxClientBuilder).GetMethod(nameof(IMuxClientBuilder.AddProxy))!, services.AddMuxClient("mux://127.0.0.1:1"));
        using var provider = services.BuildServiceProvider();
        Assert.IsAssignableFrom(_contract, provider.GetRequiredService(_contract));
    }

    [Fact]
    public void A_service_is_added_of_a_contract_whose_assembly_has_run_nothing()
    {
        using var server = new MuxServer("mux://127.0.0.1:0");
        var implementation = typeof(DispatchProxy).GetMethod(nameof(DispatchProxy.Create), 2, [])!.MakeGenericMethod(_contract, typeof(AnyImplementation)).Invoke(null, null);
        Assert.Same(server, Call(typeof(MuxServer).GetMethod(nameof(MuxServer.AddService), 1, [Type.MakeGenericMethodParameter(0)])!, server, implementation));
    }

    private object? Call(MethodInfo generic, object target, params object?[] arguments) => generic.MakeGenericMethod(_contract).Invoke(target, arguments);

    /// <summary>A contract of an assembly of which this is the only use: a second copy of the one the other tests use.</summary>
    private static Type LoadUntouched()
    {
        var copy = new AssemblyLoadContext(nameof(UntouchedAssemblyTests)).LoadFromAssemblyPath(typeof(IRelay).Assembly.Location);
        var contract = copy.GetType(typeof(IRelay).FullName!)!;
        Assert.NotEqual(typeof(IRelay), contract);
        return contract;
    }

    public class AnyImplementation : DispatchProxy
    {
        protected override object? Invoke(MethodInfo? targetMethod, object?[]? args) => throw new NotSupportedException();
    }
}
