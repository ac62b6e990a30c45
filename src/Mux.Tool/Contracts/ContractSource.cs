using Mux.Description;

namespace Mux.Tool.Contracts;

/// <summary>Where a command learns contracts from: a server, or a file.</summary>
internal abstract class ContractSource
{
    /// <summary>Bytes of a file that is read: those of a description at most.</summary>
    public const int MaxBytes = 4 << 20;

    /// <summary>Gets the place, for messages.</summary>
    public abstract string Place { get; }

    /// <summary>Gets descriptions.</summary>
    /// <param name="services">Wire names of the services that are needed; none for all. A file has all in any case.</param>
    /// <param name="cancellationToken">Ends it.</param>
    /// <exception cref="ToolException">There is no description, or a service is missing.</exception>
    public abstract Task<ContractSet> ReadAsync(IReadOnlyList<string> services, CancellationToken cancellationToken);

    /// <summary>Gets the wire names of the services, in order.</summary>
    /// <param name="cancellationToken">Ends it.</param>
    /// <exception cref="ToolException">There is no description.</exception>
    public virtual async Task<IReadOnlyList<string>> ListAsync(CancellationToken cancellationToken)
    {
        var set = await ReadAsync([], cancellationToken).ConfigureAwait(false);
        return [.. set.Services.Where(static service => !service.IsCallback).Select(static service => service.Name).Order(StringComparer.Ordinal)];
    }

    /// <summary>Gets the services that a server has but does not describe, because their assemblies were built without descriptions.</summary>
    /// <param name="all">The whole description.</param>
    /// <param name="cancellationToken">Ends it.</param>
    /// <exception cref="ToolException">There is no answer.</exception>
    public virtual Task<IReadOnlyList<string>> FindUndescribedAsync(ContractSet all, CancellationToken cancellationToken) =>
        Task.FromResult<IReadOnlyList<string>>([]);

    /// <exception cref="ToolException">The bytes are no description.</exception>
    protected ContractSet Parse(ReadOnlySpan<byte> set)
    {
        try
        {
            return ContractSet.Read(set);
        }
        catch (InvalidDataException error)
        {
            throw new ToolException(ExitCode.Faulty, $"{Place}: {error.Message}", error);
        }
    }
}
