using System.Runtime.CompilerServices;

namespace Mux.Contracts;

/// <summary>A service contract as the generator emits it: how to make a proxy of it and which methods it has. Stateless; may be used concurrently.</summary>
/// <typeparam name="TService">The contract interface.</typeparam>
public abstract class ServiceContract<TService>
    where TService : class
{
    private static ServiceContract<TService>? s_instance;

    /// <summary>The wire name of the service.</summary>
    public abstract string Name { get; }

    /// <summary>Makes a proxy: stateless beyond the invoker, safe for concurrent use.</summary>
    public abstract TService CreateProxy(CallInvoker invoker);

    /// <summary>Calls the visitor once per method, in declaration order, inherited ones behind the contract's own.</summary>
    public abstract void Describe(IMethodVisitor<TService> visitor);

    /// <summary>Called by the generated module initializer of the assembly that holds the contract.</summary>
    public static void Register(ServiceContract<TService> contract) => s_instance = contract;

    /// <summary>The contract of an interface, also when nothing of its assembly has run yet.</summary>
    /// <exception cref="InvalidOperationException">The interface is not a service contract, or its assembly was built without the generator.</exception>
    public static ServiceContract<TService> Get()
    {
        if (s_instance is { } known) return known;

        // A module initializer runs when the module's code is first used, and naming a type is no use of it.
        RuntimeHelpers.RunModuleConstructor(typeof(TService).Module.ModuleHandle);
        return s_instance ?? throw new InvalidOperationException(
            $"{typeof(TService)} is not a Mux contract: it needs [MuxService(\"name\")], and its assembly '{typeof(TService).Assembly.GetName().Name}' "
            + "must be built with a reference to Mux or Mux.Abstractions, which bring the generator.");
    }
}
