using System.CommandLine;
using Mux.Tool.Commands;

namespace Mux.Tool.Contracts;

/// <summary>Options that name files with contracts, for servers that do not describe theirs.</summary>
internal sealed class SourceOptions
{
    public const string AssemblyName = "--assembly", DescriptorsName = "--descriptors";
    public const string ProtoName = "--proto", ProtoPathName = "--proto-path";

    /// <summary>The options, for messages.</summary>
    public const string Files = $"{ProtoName}, {DescriptorsName} or {AssemblyName}";

    private readonly Option<string?> _assembly = new(AssemblyName)
    {
        Description = "Read contracts from an assembly instead of the server; its code is loaded and runs, so trust it",
        HelpName = "DLL",
    };

    private readonly Option<string?> _descriptors = new(DescriptorsName)
    {
        Description =
            "Read contracts from a FileDescriptorSet instead of the server, as protoc --descriptor_set_out --include_imports writes it",
        HelpName = "FILE",
    };

    private readonly Option<string?> _proto = new(ProtoName)
    {
        Description = "Read contracts from a .proto file instead of the server, and from those that it imports",
        HelpName = "FILE",
    };

    private readonly Option<string[]> _protoPath = new(ProtoPathName)
    {
        Description =
            "A folder to which the names of imports are relative; may be given several times [default: that of the file and " +
            "those around it, the nearest first]",
        HelpName = "FOLDER",
    };

    /// <summary>Gets the options.</summary>
    public IEnumerable<Option> All => [_proto, _protoPath, _descriptors, _assembly];

    public void AddTo(ToolCommand command) => command.Add(OptionGroup.Contracts, All);

    /// <summary>Gets the file that the options name; null if they name none.</summary>
    /// <exception cref="ToolException">They name several.</exception>
    public ContractSource? Read(ParseResult result)
    {
        var (assembly, descriptors, proto) =
            (result.GetValue(_assembly), result.GetValue(_descriptors), result.GetValue(_proto));
        var folders = result.GetValue(_protoPath) ?? [];
        if (new[] { assembly, descriptors, proto }.Count(static path => path is not null) > 1)
            throw new ToolException(ExitCode.Usage,
                $"{ProtoName}, {DescriptorsName} and {AssemblyName} exclude each other.");
        if (folders.Length > 0 && proto is null)
            throw new ToolException(ExitCode.Usage, $"{ProtoPathName} needs a {ProtoName}.");
        if (assembly is not null) return new AssemblyContracts(assembly);
        if (descriptors is not null) return new DescriptorContracts(descriptors);
        return proto is null ? null : new ProtoContracts(proto, folders);
    }
}
