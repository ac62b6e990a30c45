using Mux.Tool.Serving;

namespace Mux.Tool.Load;

/// <summary>The server of the runs: a target, or a server process that lives as long as this object.</summary>
internal sealed class BenchHost : IAsyncDisposable
{
    private readonly ChildServer? _child;
    private readonly ThrowawayCertificate? _certificate;
    private readonly TargetAddress _target;

    private BenchHost(ChildServer? child, ThrowawayCertificate? certificate, TargetAddress target) =>
        (_child, _certificate, _target) = (child, certificate, target);

    /// <exception cref="ToolException">The server process did not start.</exception>
    public static async Task<BenchHost> StartAsync(BenchConfiguration configuration, CancellationToken interrupted)
    {
        if (configuration.Target is { } target) return new BenchHost(null, null, target);
        var certificate = configuration.IsTls ? new ThrowawayCertificate() : null;
        try
        {
            var options = new ServeOptions
            {
                Links = configuration.Links with { CertificatePath = certificate?.Path },
                Profile = configuration.Profile,
                Handlers = configuration.Handlers
            };
            var child = await ChildServer.StartAsync(options, interrupted).ConfigureAwait(false);
            return new BenchHost(child, certificate, TargetAddress.Of(child.Address));
        }
        catch
        {
            certificate?.Dispose();
            throw;
        }
    }

    /// <inheritdoc cref="BenchRun.RunAsync"/>
    public Task<BenchOutcome> RunAsync(BenchConfiguration configuration, Action<ProgressSample> report, CancellationToken interrupted) =>
        BenchRun.RunAsync(_certificate is null ? configuration
            : configuration with { Links = configuration.Links with { TrustedRootsPath = _certificate.Path } }, _target, report, interrupted);

    public async ValueTask DisposeAsync()
    {
        if (_child is not null) await _child.DisposeAsync().ConfigureAwait(false);
        _certificate?.Dispose();
    }
}
