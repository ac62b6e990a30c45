using System.Diagnostics;
using System.Globalization;
using Mux.Tool.Commands;

namespace Mux.Tool.Serving;

/// <summary>
/// A <c>mux serve</c> process of this bench, on a free loopback port. It ends when its standard input ends, so also when this process is killed.
/// </summary>
internal sealed class ChildServer : IAsyncDisposable
{
    // A start takes some 100 ms, on an overloaded machine some seconds.
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30);

    private readonly Process _process;

    private ChildServer(Process process, MuxAddress address)
    {
        _process = process;
        Address = address;
    }

    public MuxAddress Address { get; }

    /// <exception cref="ToolException">The server did not start. Its messages are on the shared standard error stream.</exception>
    public static async Task<ChildServer> StartAsync(ServeOptions options, CancellationToken cancellationToken)
    {
        var process = Process.Start(StartInfo(options)) ?? throw new InvalidOperationException("No process was started.");
        try
        {
            var line = await process.StandardOutput.ReadLineAsync(cancellationToken).AsTask().WaitAsync(s_patience, TimeProvider.System, cancellationToken)
                .ConfigureAwait(false);
            if (line is not null) return new ChildServer(process, MuxAddress.Parse(line));
            await process.WaitForExitAsync(cancellationToken).ConfigureAwait(false);
            throw new ToolException(ExitCode.Internal, $"The server process of this bench ended with exit code {process.ExitCode} before it listened.");
        }
        catch (Exception error)
        {
            process.Kill();
            process.Dispose();
            if (error is TimeoutException)
            {
                throw new ToolException(ExitCode.Internal, $"The server process of this bench did not listen within {s_patience.TotalSeconds} s.", error);
            }

            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        try
        {
            _process.StandardInput.Close();
            await _process.WaitForExitAsync().WaitAsync(s_patience, TimeProvider.System).ConfigureAwait(false);
        }
        catch (Exception error) when (error is TimeoutException or IOException)
        {
            _process.Kill();
        }

        _process.Dispose();
    }

    private static ProcessStartInfo StartInfo(ServeOptions options)
    {
        var start = new ProcessStartInfo(Environment.ProcessPath!) { RedirectStandardInput = true, RedirectStandardOutput = true, UseShellExecute = false };

        // If run as 'dotnet Mux.Tool.dll' or 'dotnet mux', the executable is dotnet's.
        if (Path.GetFileNameWithoutExtension(Environment.ProcessPath) == "dotnet") start.ArgumentList.Add(typeof(ChildServer).Assembly.Location);
        start.ArgumentList.Add("serve");
        start.ArgumentList.Add("--until-stdin-ends");
        var links = options.Links;
        Add("--listen", links.CertificatePath is null ? "mux://127.0.0.1:0" : "muxs://127.0.0.1:0");
        if (links.CertificatePath is not null) Add("--certificate", links.CertificatePath);
        Add("--profile", options.Profile.ToString().ToLowerInvariant());
        Add(EngineChoice.Option.Name, EngineChoice.Name);
        if (EngineChoice.LoopCount is { } loops) Add(EngineChoice.Loops.Name, loops.ToString(CultureInfo.InvariantCulture));
        if (EngineChoice.Polling is { } polling) Add(EngineChoice.PollTime.Name, new Duration(polling).ToString());
        if (links.CongestionControl is { } congestionControl) Add("--congestion", congestionControl);
        var handlers = options.Handlers;
        if (handlers.HasSlow) Add("--slow", new SlowReplies(handlers.SlowShare, TimeSpan.FromMicroseconds(handlers.SlowMicroseconds)).ToString());
        if (handlers.CostMicroseconds > 0) Add("--handler-cost", new Duration(TimeSpan.FromMicroseconds(handlers.CostMicroseconds)).ToString());
        if (handlers.Workers > 0) Add("--workers", handlers.Workers.ToString(CultureInfo.InvariantCulture));
        return start;

        void Add(string name, string value)
        {
            start.ArgumentList.Add(name);
            start.ArgumentList.Add(value);
        }
    }
}
