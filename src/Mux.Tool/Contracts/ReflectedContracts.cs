using Mux.Description;

namespace Mux.Tool.Contracts;

/// <summary>The contracts that a server describes.</summary>
/// <param name="target">The server.</param>
internal sealed class ReflectedContracts(ServerTarget target) : ContractSource
{
    public override string Place => target.Address.Text;

    public override async Task<ContractSet> ReadAsync(IReadOnlyList<string> services, CancellationToken cancellationToken) =>
        Parse(await AskAsync(server => server.Describe([.. services], cancellationToken), services).ConfigureAwait(false));

    public override async Task<IReadOnlyList<string>> ListAsync(CancellationToken cancellationToken) =>
        await AskAsync(server => server.List(cancellationToken), []).ConfigureAwait(false);

    public override async Task<IReadOnlyList<string>> FindUndescribedAsync(ContractSet all, CancellationToken cancellationToken) =>
        [.. (await ListAsync(cancellationToken).ConfigureAwait(false)).Where(name => all.FindService(name) is null)];

    private async Task<T> AskAsync<T>(Func<IReflection, ValueTask<T>> ask, IReadOnlyList<string> services)
    {
        var channel = target.CreateChannel();
        await using var channelEnd = channel.ConfigureAwait(false);
        try
        {
            return await ask(channel.CreateProxy<IReflection>()).ConfigureAwait(false);
        }
        catch (MuxException error) when (error.Status == MuxStatus.Unimplemented)
        {
            var remedy = $"let it call AddReflection() of the package Mux.Reflection, or name a file with {SourceOptions.Files}";
            throw new ToolException(ExitCode.Unreachable, $"{Place} does not describe its contracts: {remedy}.", error);
        }
        catch (MuxException error) when (error.Status == MuxStatus.NotFound && services.Count > 0)
        {
            var names = string.Join("' or '", services);
            throw new ToolException(ExitCode.Usage, $"{Place} has no service '{names}' that you may call: 'mux ls' lists those that it has.", error);
        }
        catch (MuxException error) when (error.Status == MuxStatus.PermissionDenied)
        {
            throw new ToolException(ExitCode.Faulty, $"{Place} does not describe its contracts to this caller: {error.Message}", error);
        }
        catch (MuxException error)
        {
            throw new ToolException(ServerTarget.ExitCodeOf(error), error.Message, error);
        }
    }
}
