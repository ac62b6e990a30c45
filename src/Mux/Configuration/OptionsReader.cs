using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Configuration;
using Mux.Identity;
using Mux.Transports.Tls;

namespace Mux.Configuration;

/// <summary>Reads options from the configuration. Keys are the names of the properties.</summary>
internal static class OptionsReader
{
    /// <summary>Reads the section of the server, if there is a configuration, and returns what cannot be read.</summary>
    /// <param name="configuration">Configuration of the host.</param>
    /// <param name="options">Options to fill.</param>
    /// <param name="contentRoot">Folder to which relative paths of files are relative; null for the working directory.</param>
    public static IReadOnlyList<string> Read(IConfiguration? configuration, MuxServerOptions options, string? contentRoot = null)
    {
        if (configuration is null) return [];
        var section = SectionReader.Of(configuration.GetSection(ConfigurationPaths.Server));
        ReadCommon(section, options);
        if (configuration[$"{ConfigurationPaths.Server}:{nameof(options.Address)}"] is "")
        {
            section.Fail(nameof(options.Address), "it is empty. Expected an address such as mux://127.0.0.1:7070, or no key at all. A server " +
                "with endpoints of ASP.NET Core does not listen without an address; for any other, call AddMuxServer(string.Empty).");
        }

        section.Flag(nameof(options.AllowPlaintext), value => options.AllowPlaintext = value);
        section.Number(nameof(options.MaxConnections), value => options.MaxConnections = value, "1 to 1000000");
        section.Number(nameof(options.MaxCallsPerConnection), value => options.MaxCallsPerConnection = value, "1 to 1048575");
        section.Number(nameof(options.MaxMethodsPerConnection), value => options.MaxMethodsPerConnection = value, "1 to 65535");
        section.LongNumber(nameof(options.MaxParkedBytes), value => options.MaxParkedBytes = value);
        section.LongNumber(nameof(options.MaxRunningBytes), value => options.MaxRunningBytes = value);
        section.Duration(nameof(options.MaxCallTimeout), value => options.MaxCallTimeout = value);
        section.Duration(nameof(options.MaxQueueTime), value => options.MaxQueueTime = value);
        section.Duration(nameof(options.MaxConnectionAge), value => options.MaxConnectionAge = value);
        section.Duration(nameof(options.StopDelay), value => options.StopDelay = value);
        section.Flag(nameof(options.DetailedErrors), value => options.DetailedErrors = value);
        section.Flag(nameof(options.EnableCallContext), value => options.EnableCallContext = value);
        section.Flag(nameof(options.EnableHealth), value => options.EnableHealth = value);
        if (section.Part(nameof(options.Limits)) is { } limits) ReadLimits(limits, options.Limits);
        if (section.Part(nameof(options.Tls)) is { } tls) ReadTls(tls, options.Tls ??= new TlsServerOptions(), contentRoot);
        if (section.Part(nameof(options.Identity)) is { } identity) IdentityReader.Read(identity, options.Identity ??= new MuxIdentityOptions());
        return section.Failures();
    }

    /// <summary>Reads the section of a client, if there is a configuration, and returns what cannot be read.</summary>
    /// <param name="configuration">Configuration of the host.</param>
    /// <param name="name">Name of the client.</param>
    /// <param name="options">Options to fill.</param>
    /// <param name="contentRoot">Folder to which relative paths of files are relative; null for the working directory.</param>
    public static IReadOnlyList<string> Read(IConfiguration? configuration, string? name, MuxChannelOptions options, string? contentRoot = null)
    {
        if (configuration is null) return [];
        var section = SectionReader.Of(configuration.GetSection(ConfigurationPaths.Client(name)));
        ReadCommon(section, options);
        ReadEndpoints(section, options);
        section.Flag(nameof(options.AllowPlaintext), value => options.AllowPlaintext = value);
        section.Flag(nameof(options.RequireChallenge), value => options.RequireChallenge = value);
        section.Choice<MuxConnectionLifetime>(nameof(options.Lifetime), value => options.Lifetime = value);
        section.Number(nameof(options.MinConnections), value => options.MinConnections = value, "1 to 1024");
        section.Number(nameof(options.MaxConnections), value => options.MaxConnections = value, $"{nameof(options.MinConnections)} to 1024");
        section.Number(nameof(options.MaxCallsPerConnection), value => options.MaxCallsPerConnection = value, "1 to 1048575");
        section.Flag(nameof(options.KeepConnected), value => options.KeepConnected = value);
        section.Flag(nameof(options.EnableCallContext), value => options.EnableCallContext = value);
        section.Flag(nameof(options.InheritDeadlines), value => options.InheritDeadlines = value);
        section.Duration(nameof(options.CallTimeout), value => options.CallTimeout = value);
        section.LongNumber(nameof(options.MaxQueuedBytes), value => options.MaxQueuedBytes = value);
        section.Duration(nameof(options.MaxReconnectDelay), value => options.MaxReconnectDelay = value);
        section.Duration(nameof(options.WarmUpTime), value => options.WarmUpTime = value);
        section.Flag(nameof(options.RequireWarmUp), value => options.RequireWarmUp = value);
        if (section.Part(nameof(options.Balancing)) is { } balancing) ReadBalancing(balancing, options.Balancing);
        if (section.Part(nameof(options.Limits)) is { } limits) ReadLimits(limits, options.Limits);
        if (section.Part(nameof(options.Tls)) is { } tls) ReadTls(tls, options.Tls ??= new TlsClientOptions(), contentRoot);
        if (section.Part(nameof(options.Resilience)) is { } resilience) ReadResilience(resilience, options.Resilience);
        IdentityReader.Read(section, options);
        return section.Failures();
    }

    private static void ReadBalancing(SectionReader section, MuxBalancing options)
    {
        section.Choice<MuxBalancingPolicy>(nameof(options.Policy), value => options.Policy = value);
        section.Text(nameof(options.Zone), value => options.Zone = value);
        section.Factor(nameof(options.ZoneFactor), value => options.ZoneFactor = value);
        section.Duration(nameof(options.SlowStart), value => options.SlowStart = value);
        section.Number(nameof(options.SubsetSize), value => options.SubsetSize = value, "0 for all, or 2 to 10000");
        section.Flag(nameof(options.EjectFailing), value => options.EjectFailing = value);
        section.Duration(nameof(options.EjectionTime), value => options.EjectionTime = value);
        section.Duration(nameof(options.MaxEjectionTime), value => options.MaxEjectionTime = value);
    }

    private static void ReadResilience(SectionReader section, MuxResilience options)
    {
        section.Number(nameof(options.Attempts), value => options.Attempts = value, "1 to 10");
        section.Choice<MuxHedge>(nameof(options.Hedge), value => options.Hedge = value);
        section.Duration(nameof(options.HoldTime), value => options.HoldTime = value);
        if (section.Part(nameof(options.Methods)) is not { } methods) return;
        foreach (var (name, part) in methods.Parts())
        {
            if (!options.Methods.TryGetValue(name, out var method)) options.Methods.Add(name, method = new MuxMethodResilience());
            part.Number(nameof(method.Attempts), value => method.Attempts = value, "1 to 10");
            part.Choice<MuxHedge>(nameof(method.Hedge), value => method.Hedge = value);
            if (part.Part(nameof(method.Statuses)) is { } statuses) method.Statuses = [.. statuses.Choices<MuxStatus>()];
        }
    }

    private static void ReadEndpoints(SectionReader section, MuxChannelOptions options)
    {
        if (section.List(nameof(options.Endpoints)) is not { } list) return;
        var endpoints = new ConfigurationEndpoints(list);
        section.Fail(endpoints.Read(out _));
        if (section.List(nameof(options.Address)) is not null)
            section.Fail(nameof(options.Address), $"it has no effect, because {nameof(options.Endpoints)} lists the servers. Remove one of the two.");
        options.Endpoints = endpoints;
    }

    private static void ReadLimits(SectionReader section, MuxServerLimits limits)
    {
        ReadLimits(section, (MuxPeerLimits)limits);
        section.Limit(nameof(limits.MaxHandlers), value => limits.MaxHandlers = value);
        section.Limit(nameof(limits.MaxHandlersPerAddress), value => limits.MaxHandlersPerAddress = value);
        section.Limit(nameof(limits.MaxPendingHandshakes), value => limits.MaxPendingHandshakes = value);
        section.Limit(nameof(limits.MaxPendingHandshakesPerAddress), value => limits.MaxPendingHandshakesPerAddress = value);
        section.Limit(nameof(limits.MaxUnsentBytes), value => limits.MaxUnsentBytes = value);
        section.Limit(nameof(limits.MaxHeldBytes), value => limits.MaxHeldBytes = value);
        section.Limit(nameof(limits.MaxHeldBytesPerAddress), value => limits.MaxHeldBytesPerAddress = value);
    }

    private static void ReadLimits(SectionReader section, MuxPeerLimits limits)
    {
        section.Limit(nameof(limits.ControlFrames), value => limits.ControlFrames = value);
        section.Limit(nameof(limits.TinyFrames), value => limits.TinyFrames = value);
        section.Limit(nameof(limits.MisusedRequests), value => limits.MisusedRequests = value);
        section.Limit(nameof(limits.PrematureCancels), value => limits.PrematureCancels = value);
        section.Duration(nameof(limits.PingInterval), value => limits.PingInterval = value);
        section.Limit(nameof(limits.PingStrikes), value => limits.PingStrikes = value);
        section.Limit(nameof(limits.MinByteRate), value => limits.MinByteRate = value);
        section.Limit(nameof(limits.MinMessageRate), value => limits.MinMessageRate = value);
        section.Duration(nameof(limits.FragmentTimeout), value => limits.FragmentTimeout = value);
    }

    private static void ReadTls(SectionReader section, TlsServerOptions options, string? contentRoot)
    {
        ReadTls(section, (TlsOptions)options, contentRoot);
        section.Duration(nameof(options.HandshakeTimeout), value => options.HandshakeTimeout = value);
        section.Number(nameof(options.MaxPendingHandshakes), value => options.MaxPendingHandshakes = value);
        section.Number(nameof(options.MaxPendingHandshakesPerAddress), value => options.MaxPendingHandshakesPerAddress = value);
    }

    private static void ReadTls(SectionReader section, TlsClientOptions options, string? contentRoot)
    {
        ReadTls(section, (TlsOptions)options, contentRoot);
        section.Text(nameof(options.TargetHost), value => options.TargetHost = value);
    }

    private static void ReadTls(SectionReader section, TlsOptions options, string? contentRoot)
    {
        section.Text(nameof(options.CertificatePath), value => options.CertificatePath = Rooted(value, contentRoot));
        section.Text(nameof(options.CertificateKeyPath), value => options.CertificateKeyPath = Rooted(value, contentRoot));
        if (section.Part(nameof(options.CertificateStore)) is { } part)
        {
            var store = options.CertificateStore ??= new TlsCertificateStore();
            part.Text(nameof(store.Subject), value => store.Subject = value);
            part.Choice<StoreName>(nameof(store.Name), value => store.Name = value);
            part.Choice<StoreLocation>(nameof(store.Location), value => store.Location = value);
        }

        section.Text(nameof(options.CertificatePassword), value => options.CertificatePassword = value);
        section.Text(nameof(options.TrustedRootsPath), value => options.TrustedRootsPath = Rooted(value, contentRoot));
        section.Choice<X509RevocationMode>(nameof(options.Revocation), value => options.Revocation = value);
    }

    /// <summary>
    /// Makes a path absolute as ASP.NET Core does for its own certificates: a host that a service manager starts has an arbitrary working directory.
    /// </summary>
    private static string Rooted(string path, string? contentRoot) => path.Length == 0 || contentRoot is null ? path : Path.Combine(contentRoot, path);

    private static void ReadCommon(SectionReader section, MuxOptions options)
    {
        section.Text(nameof(options.Address), value => options.Address = value);
        section.Text(nameof(options.PeerName), value => options.PeerName = value);
        section.Choice<MuxProfile>(nameof(options.Profile), value => options.Profile = value);
        section.Choice<MuxDispatchMode>(nameof(options.Dispatch), value => options.Dispatch = value, MuxDispatchMode.Ordered, MuxDispatchMode.Serial);
        section.Number(nameof(options.MaxFramePayload), value => options.MaxFramePayload = value);
        section.Number(nameof(options.MaxMessageBytes), value => options.MaxMessageBytes = value);
        section.Number(nameof(options.MaxMetadataBytes), value => options.MaxMetadataBytes = value);
        section.Number(nameof(options.StreamWindowBytes), value => options.StreamWindowBytes = value);
        section.LongNumber(nameof(options.MaxStreamBytes), value => options.MaxStreamBytes = value);
        section.LongNumber(nameof(options.MaxReassemblyBytes), value => options.MaxReassemblyBytes = value);
        section.Number(nameof(options.MaxBulkBytesInFlight), value => options.MaxBulkBytesInFlight = value);
        section.LongNumber(nameof(options.MaxUnsentBytes), value => options.MaxUnsentBytes = value);
        section.Duration(nameof(options.HandshakeTimeout), value => options.HandshakeTimeout = value);
        section.Duration(nameof(options.KeepAliveTime), value => options.KeepAliveTime = value);
        section.Duration(nameof(options.KeepAliveTimeout), value => options.KeepAliveTimeout = value);
        section.Duration(nameof(options.IdleTimeout), value => options.IdleTimeout = value);
        section.Duration(nameof(options.StallTimeout), value => options.StallTimeout = value);
        section.Duration(nameof(options.DrainTimeout), value => options.DrainTimeout = value);
    }
}
