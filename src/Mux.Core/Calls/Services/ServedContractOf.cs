using Mux.Contracts;
using Mux.Services;

namespace Mux.Calls;

/// <summary>A contract of a generated kind that a server serves.</summary>
internal sealed class ServedContractOf<TService>(ServiceContract<TService> contract, IReadOnlyList<MethodDescriptor> methods)
    : ServedContract(contract.Name, methods)
    where TService : class
{
    public override void Describe(ContractDescription description) => contract.Describe(description);
}
