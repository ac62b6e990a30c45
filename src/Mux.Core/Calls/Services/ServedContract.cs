using Mux.Contracts;

namespace Mux.Services;

/// <summary>A contract that a server serves. Immutable.</summary>
public abstract class ServedContract
{
    private protected ServedContract(string name, IReadOnlyList<MethodDescriptor> methods)
    {
        Name = name;
        Methods = methods;
    }

    /// <summary>Gets the wire name of the service.</summary>
    public string Name { get; }

    /// <summary>Gets the methods, with the authorization that this server asks for.</summary>
    public IReadOnlyList<MethodDescriptor> Methods { get; }

    /// <inheritdoc cref="ServiceContract{TService}.Describe(ContractDescription)"/>
    public abstract void Describe(ContractDescription description); // no delegate, which would keep the descriptions in every trimmed program

    /// <inheritdoc/>
    public override string ToString() => Name;
}
