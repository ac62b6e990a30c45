using Mux.Description;

namespace Mux.Tool.Contracts;

/// <summary>The contracts of a file with a FileDescriptorSet.</summary>
/// <param name="path">The file.</param>
internal sealed class DescriptorContracts(string path) : ContractSource
{
    public override string Place => $"{SourceOptions.DescriptorsName} '{path}'";

    public override async Task<ContractSet> ReadAsync(IReadOnlyList<string> services, CancellationToken cancellationToken)
    {
        try
        {
            var file = new FileInfo(path);
            if (file.Length > MaxBytes) throw new ToolException(ExitCode.Usage, $"{Place}: it has {file.Length} bytes; allowed are {MaxBytes}.");
            return Parse(await File.ReadAllBytesAsync(path, cancellationToken).ConfigureAwait(false));
        }
        catch (ToolException error) when (path.EndsWith(".proto", StringComparison.OrdinalIgnoreCase))
        {
            throw new ToolException(
                ExitCode.Usage, $"{Place}: expected a FileDescriptorSet; a .proto file is read with {SourceOptions.ProtoName}.", error);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new ToolException(ExitCode.Usage, $"{Place}: it cannot be read: {error.Message}", error);
        }
    }
}
