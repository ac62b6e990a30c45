using Microsoft.Extensions.Logging;
using Mux.Discovery;

namespace Mux.Hosting;

/// <summary>
/// Keeps the server of a host registered in one discovery system, in the background: neither a system that is down nor one that hangs fails or delays the start
/// of the host, and it delays the stop by at most <see cref="WithdrawLimit"/>. Start and withdraw on one thread.
/// </summary>
internal sealed class EndpointAnnouncement : IDisposable
{
    /// <summary>The longest time for which a host that stops waits for a registry.</summary>
    public static readonly TimeSpan WithdrawLimit = TimeSpan.FromSeconds(2);

    private static readonly string s_noAnswer = $"no answer within {WithdrawLimit.TotalSeconds} s";

    private readonly MuxEndpoint _endpoint;
    private readonly IEndpointRegistry _registry;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly CancellationTokenSource _leaving = new();
    private readonly CancellationToken _left; // of the source, for use after its disposal
    private volatile bool _isAbandoned;
    private int _isFailureTold; // 0 or 1
    private Task _run = Task.CompletedTask;
    private Task? _withdrawal;

    /// <param name="endpoint">The server as clients reach it. Port 0 stands for the port at which the server listens.</param>
    /// <param name="registry">The discovery system. Owned: disposed with this object, if it can be.</param>
    /// <param name="time">Measures the pauses.</param>
    /// <param name="logger">The log of the server.</param>
    public EndpointAnnouncement(MuxEndpoint endpoint, IEndpointRegistry registry, TimeProvider time, ILogger logger)
    {
        _endpoint = endpoint;
        _registry = registry;
        _time = time;
        _logger = logger;
        _left = _leaving.Token;
    }

    /// <summary>Starts to register.</summary>
    /// <param name="server">A server that was started.</param>
    /// <exception cref="InvalidOperationException">The endpoint has port 0, but the server does not listen itself.</exception>
    public void Start(MuxServer server)
    {
        var announced = _endpoint;
        if (_endpoint.Address is { Port: 0, Host.Length: > 0 }) announced = WithPort(PortOf(server));
        _run = Task.Run(() => RunAsync(announced)); // a registry may block its thread
    }

    /// <summary>
    /// Withdraws the registration, and ends an attempt to register. The log says what failed. Further calls, as of a host that is told to stop twice, return
    /// the same task.
    /// </summary>
    /// <param name="cancellationToken">Ends the wait, not the attempt to withdraw.</param>
    public Task WithdrawAsync(CancellationToken cancellationToken) => _withdrawal ??= BeginWithdrawAsync(cancellationToken);

    /// <summary>Ends all attempts, without withdrawing: the registration ends as the system ends those of a process that dies.</summary>
    public void Dispose()
    {
        _isAbandoned = true;
        _leaving.Cancel();
        _leaving.Dispose();
        (_registry as IDisposable)?.Dispose();
    }

    private async Task BeginWithdrawAsync(CancellationToken cancellationToken)
    {
        await _leaving.CancelAsync().ConfigureAwait(false);
        try
        {
            await _run.WaitAsync(WithdrawLimit, _time, cancellationToken).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            TellFailure(s_noAnswer, error: null);
        }
        catch (OperationCanceledException)
        {
            TellFailure("the host waits no longer", error: null);
        }
    }

    /// <summary>
    /// Registers, waits for the stop and withdraws. If a registry is still busy with the registration then, the withdrawal follows when it returns, even if the
    /// host does not wait for it: otherwise clients would find a server that is gone.
    /// </summary>
    private async Task RunAsync(MuxEndpoint announced)
    {
        await RegisterAsync(announced).ConfigureAwait(false);
        await Task.Delay(Timeout.InfiniteTimeSpan, _time, _left).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (_isAbandoned) return;
        using var limit = new CancellationTokenSource(WithdrawLimit, _time);
        try
        {
            await _registry.DeregisterAsync(limit.Token).ConfigureAwait(false);
            HostLog.Withdrawn(_logger, announced.Address, _registry.Name);
        }
        catch (OperationCanceledException) when (limit.IsCancellationRequested)
        {
            TellFailure(s_noAnswer, error: null);
        }
        catch (Exception e)
        {
            TellFailure(e.Message.TrimEnd('.'), e);
        }
    }

    /// <summary>Logs once that the withdrawal failed: the host and the attempt may both notice.</summary>
    private void TellFailure(string reason, Exception? error)
    {
        if (Interlocked.Exchange(ref _isFailureTold, 1) == 0) HostLog.WithdrawFailed(_logger, _endpoint.Address, _registry.Name, reason, error);
    }

    private async Task RegisterAsync(MuxEndpoint announced)
    {
        var pauses = new RegistrationPause(Random.Shared);
        while (!_left.IsCancellationRequested)
        {
            TimeSpan pause;
            try
            {
                await _registry.RegisterAsync(announced, _left).ConfigureAwait(false);
                HostLog.Registered(_logger, announced.Address, _registry.Name);
                return;
            }
            catch (Exception) when (_left.IsCancellationRequested)
            {
                return;
            }
            catch (Exception e)
            {
                pause = pauses.Next();
                HostLog.RegistrationLost(_logger, announced.Address, _registry.Name, e.Message.TrimEnd('.'), pause.TotalSeconds, e);
            }

            await Task.Delay(pause, _time, _left).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private MuxEndpoint WithPort(int port) =>
        new(_endpoint.Address.WithPort(port)) { Zone = _endpoint.Zone, Weight = _endpoint.Weight, Instance = _endpoint.Instance };

    private int PortOf(MuxServer server)
    {
        try
        {
            return server.Address.Port;
        }
        catch (InvalidOperationException e)
        {
            throw new InvalidOperationException($"The server cannot be registered in {_registry.Name} as {_endpoint.Address}: port 0 stands for the port at " +
                "which the server listens, but it has no address of its own. Name the port at which clients reach it.", e);
        }
    }
}
