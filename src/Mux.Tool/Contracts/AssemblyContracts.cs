using Mux.Description;

namespace Mux.Tool.Contracts;

/// <summary>The contracts of an assembly, which is loaded: the generated descriptions are code.</summary>
/// <param name="path">The file.</param>
internal sealed class AssemblyContracts(string path) : ContractSource
{
    public override string Place => $"{SourceOptions.AssemblyName} '{path}'";

    public override Task<ContractSet> ReadAsync(IReadOnlyList<string> services, CancellationToken cancellationToken)
    {
        var set = ContractAssembly.Describe(path, Place);
        try
        {
            return Task.FromResult(ContractSet.Read(set));
        }
        catch (InvalidDataException error)
        {
            throw new ToolException(ExitCode.Faulty, $"{Place}: {error.Message}", error);
        }
    }
}
