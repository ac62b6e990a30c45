using System.CommandLine;
using Mux.Tool.Commands;

namespace Mux.Tool.Contracts;

/// <summary>Options that name files with contracts, for servers that do not describe theirs.</summary>
internal sealed class SourceOptions
{
    public const string AssemblyName = "--assembly", DescriptorsName = "--descriptors";

    /// <summary>The options, for messages.</summary>
    public const string Files = $"{DescriptorsName} or {AssemblyName}";

    private readonly Option<string?> _assembly = new(AssemblyName)
    {
        Description = "Read contracts from an assembly instead of the server; its code is loaded and runs, so trust it",
        HelpName = "DLL",
    };

    private readonly Option<string?> _descriptors = new(DescriptorsName)
    {
        Description = "Read contracts from a FileDescriptorSet instead of the server, as protoc --descriptor_set_out --include_imports writes it",
        HelpName = "FILE",
    };

    public void AddTo(ToolCommand command) => command.Add(OptionGroup.Contracts, _assembly, _descriptors);

    /// <summary>Gets the file that the options name; null if they name none.</summary>
    /// <exception cref="ToolException">They name several.</exception>
    public ContractSource? Read(ParseResult result)
    {
        var (assembly, descriptors) = (result.GetValue(_assembly), result.GetValue(_descriptors));
        if (assembly is not null && descriptors is not null)
            throw new ToolException(ExitCode.Usage, $"{AssemblyName} and {DescriptorsName} exclude each other.");
        if (assembly is not null) return new AssemblyContracts(assembly);
        return descriptors is null ? null : new DescriptorContracts(descriptors);
    }
}
