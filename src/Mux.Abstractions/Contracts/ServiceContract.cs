using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Mux.Contracts;

/// <summary>A service contract, as the generator emits it: creates proxies and lists the methods. Stateless; may be used concurrently.</summary>
/// <typeparam name="TService">The contract interface.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class ServiceContract<TService>
    where TService : class
{
    private static ServiceContract<TService>? s_instance;

    /// <summary>Gets the wire name of the service.</summary>
    public abstract string Name { get; }

    /// <summary>Creates a proxy. It holds only the invoker and is safe for concurrent use.</summary>
    public abstract TService CreateProxy(CallInvoker invoker);

    /// <summary>Calls the visitor once per method, in declaration order; inherited methods follow the contract's own.</summary>
    public abstract void Describe(IMethodVisitor visitor);

    /// <summary>
    /// Adds the contract in the form of protobuf descriptors, with all messages that it reaches. A trimmed program that never calls it has none of them.
    /// </summary>
    /// <exception cref="InvalidOperationException">The assembly of the contract was built without descriptions.</exception>
    public virtual void Describe(ContractDescription description) => throw new InvalidOperationException(
        $"{typeof(TService)} has no description: its assembly '{typeof(TService).Assembly.GetName().Name}' was built with "
        + "<MuxDescriptions>false</MuxDescriptions>. Remove this property from its project.");

    /// <summary>Registers a contract. Called by the generated module initializer of its assembly.</summary>
    public static void Register(ServiceContract<TService> contract) => s_instance = contract;

    /// <summary>Gets the contract of an interface, even if no code of its assembly has run yet.</summary>
    /// <exception cref="InvalidOperationException">The interface is not a service contract, or its assembly was built without the generator.</exception>
    public static ServiceContract<TService> Get()
    {
        if (s_instance is { } known) return known;

        // A module initializer runs when code of the module is first used; naming a type does not count.
        RuntimeHelpers.RunModuleConstructor(typeof(TService).Module.ModuleHandle);
        return s_instance ?? throw new InvalidOperationException(
            $"{typeof(TService)} is not a Mux contract: it needs [MuxService(\"name\")], and its assembly '{typeof(TService).Assembly.GetName().Name}' "
            + "must be built with a reference to Mux or Mux.Abstractions, which bring the generator.");
    }
}
