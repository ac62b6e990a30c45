using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Mux.Discovery.Etcd.DependencyInjection;

/// <summary>Turns the address of a client, if it is one of etcd, into its source, and says what is wrong with it.</summary>
/// <param name="client">Name of the client; empty for the client without a name.</param>
/// <param name="options">Options of the source.</param>
/// <param name="loggers">Where the source logs.</param>
internal sealed class EtcdAddress(string client, EtcdOptions options, ILoggerFactory? loggers)
    : IPostConfigureOptions<MuxChannelOptions>, IValidateOptions<MuxChannelOptions>
{
    public void PostConfigure(string? name, MuxChannelOptions channel)
    {
        if (!IsMeant(name, channel) || channel.Endpoints is not null || FindMistake(channel) is not null) return;
        channel.Endpoints = new EtcdEndpointSource(channel.Address, options, loggers, channel.TimeProvider);
    }

    public ValidateOptionsResult Validate(string? name, MuxChannelOptions channel)
    {
        if (!IsMeant(name, channel)) return ValidateOptionsResult.Skip;
        return FindMistake(channel) is { } mistake ? ValidateOptionsResult.Fail(mistake) : ValidateOptionsResult.Success;
    }

    private bool IsMeant(string? name, MuxChannelOptions channel) => (name ?? string.Empty) == client && EtcdTarget.IsOwn(channel.Address);

    private string? FindMistake(MuxChannelOptions channel)
    {
        var section = $"Mux:Clients:{(client.Length == 0 ? "Default" : client)}";
        if (!EtcdTarget.TryParse(channel.Address, out var target, out var error)) return $"{section}:Address: {error}";
        var failures = options.Validate(target).ToList();
        return failures.Count == 0 ? null : $"{section}: the options of UseEtcd: {string.Join(" ", failures)}";
    }
}
