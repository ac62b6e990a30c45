using System.Diagnostics;
using Mux.ProtocolCases.Cases;
using Mux.ProtocolCases.Running;
using Mux.ProtocolCases.Servers;
using Mux.Tool.Serving;
using Mux.Transports;

namespace Mux.Tool.Checking;

/// <summary>Plays the cases against a server, one after another.</summary>
internal sealed class SpecSession
{
    private readonly SpecPlan _plan;
    private readonly BadInputCase[] _cases;
    private readonly ServerCase[] _others;

    /// <exception cref="ToolException">The filter matches nothing, or an option does not fit the address.</exception>
    public SpecSession(SpecPlan plan)
    {
        if (plan.Links.TrustedRootsPath is not null && plan.Address.Scheme != MuxAddress.TlsScheme)
        {
            throw new ToolException(ExitCode.Usage, $"--roots is for muxs addresses; '{plan.Address}' is not one.");
        }

        _plan = plan;
        _cases = [.. BadInputCatalogue.For(plan.Method).Concat(PayloadCases.All)
            .Where(badInput => badInput.Accepting != false && SpecFilter.Chooses(plan.Filter, badInput.Name))
            .OrderBy(badInput => SpecRows.NumberOf(badInput) ?? int.MaxValue)];
        _others = [.. ServerCreditCases.All.Where(other => SpecFilter.Chooses(plan.Filter, other.Name, other.Row))];
        if (Count == 0)
        {
            throw new ToolException(ExitCode.Usage,
                $"--filter '{plan.Filter}': no case of a server has this number or name; without it all cases and their " +
                "names are listed.");
        }
    }

    /// <summary>Number of cases to play.</summary>
    public int Count => _cases.Length + _others.Length;

    /// <param name="report">Called for each finished case.</param>
    /// <param name="interrupted">Cancelled when the user interrupts; the current case does not count.</param>
    /// <returns>All cases, or those finished before the user interrupted.</returns>
    /// <exception cref="ToolException">The server cannot be reached, or does not speak Mux.</exception>
    public async Task<IReadOnlyList<CheckedCase>> RunAsync(Action<CheckedCase> report, CancellationToken interrupted)
    {
        var transport = EngineChoice.MakeTransport(_plan.Address, _plan.Links);
        var done = new List<CheckedCase>();
        try
        {
            var runner = new SpecRunner(await AskAsync(transport, interrupted).ConfigureAwait(false), _plan.Timeout);
            foreach (var badInput in _cases)
            {
                done.Add(await CheckAsync(runner, badInput, interrupted).ConfigureAwait(false));
                report(done[^1]);
            }

            foreach (var other in _others)
            {
                done.Add(await CheckAsync(runner, other, interrupted).ConfigureAwait(false));
                report(done[^1]);
            }

            return done;
        }
        catch (OperationCanceledException) when (interrupted.IsCancellationRequested)
        {
            return done;
        }
        finally
        {
            (transport as IDisposable)?.Dispose();
        }
    }

    private async Task<DialedTarget> AskAsync(ITransport transport, CancellationToken interrupted)
    {
        using var time = new CancellationTokenSource(_plan.Timeout, TimeProvider.System);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(time.Token, interrupted);
        try
        {
            return await DialedTarget
                .AskAsync(
                    transport, _plan.Address, _plan.Method, _plan.Links.Credentials, both.Token, _plan.Links.RequireChallenge)
                .ConfigureAwait(false);
        }
        catch (SpecFailure failure)
        {
            throw new ToolException(ExitCode.Unreachable, Describe(failure), failure);
        }
        catch (OperationCanceledException error) when (!interrupted.IsCancellationRequested)
        {
            throw new ToolException(ExitCode.Unreachable,
                $"'{_plan.Address}' did not answer a good handshake and calls within " +
                $"{_plan.Timeout.TotalSeconds:0.#} s.", error);
        }
    }

    private string Describe(SpecFailure failure)
    {
        var address = _plan.Address;
        bool mayHaveNoTls = failure.IsUnreachable && address.Scheme == MuxAddress.TlsScheme
            && failure.Message.Contains(": TLS: ", StringComparison.Ordinal);
        if (failure.IsUnreachable)
        {
            return mayHaveNoTls ? $"{failure.Message} A server without TLS is at an address that begins with {MuxAddress.TcpScheme}://." : failure.Message;
        }

        var identityHint = failure.IsRefusal ? " It requires authentication: use --shared-key or --bearer." : "";
        if (!failure.IsForeign) return $"'{address}' rejects a valid peer: {failure.Message}.{identityHint}";
        var hint = address.Scheme == MuxAddress.TcpScheme
            ? $" A server with TLS is at an address that begins with {MuxAddress.TlsScheme}://." : "";
        return $"'{address}' does not speak Mux: {failure.Message}.{hint}";
    }

    /// <summary>Sends a case in every split until one fails, then makes a valid call on another connection.</summary>
    private async Task<CheckedCase> CheckAsync(SpecRunner runner, BadInputCase badInput, CancellationToken interrupted)
    {
        long begin = Stopwatch.GetTimestamp();
        var result = await runner.RunAsync(badInput, _plan.Splits[0], interrupted).ConfigureAwait(false);
        for (int at = 1; at < _plan.Splits.Count && result.Verdict == SpecVerdict.Passed; at++)
        {
            result = await runner.RunAsync(badInput, _plan.Splits[at], interrupted).ConfigureAwait(false);
        }

        var done = CheckedCase.Of(result, Stopwatch.GetElapsedTime(begin));
        return await CheckAliveAsync(runner, done, begin, interrupted).ConfigureAwait(false);
    }

    private static async Task<CheckedCase> CheckAsync(
        SpecRunner runner, ServerCase other, CancellationToken interrupted)
    {
        long begin = Stopwatch.GetTimestamp();
        var result = await runner.RunAsync(other, interrupted).ConfigureAwait(false);
        var done = new CheckedCase(
            other.Name, other.Row, other.Sent, other.Expected, result.Got, result.Verdict, result.Step,
            Stopwatch.GetElapsedTime(begin));
        return await CheckAliveAsync(runner, done, begin, interrupted).ConfigureAwait(false);
    }

    private static async Task<CheckedCase> CheckAliveAsync(
        SpecRunner runner, CheckedCase done, long begin, CancellationToken interrupted)
    {
        if (done.Verdict == SpecVerdict.Skipped) return done;
        try
        {
            await runner.CheckAliveAsync(interrupted).ConfigureAwait(false);
            return done with { Elapsed = Stopwatch.GetElapsedTime(begin) };
        }
        catch (SpecFailure failure)
        {
            return done with
            {
                Verdict = SpecVerdict.Failed,
                Got = $"{done.Got}; and then another connection gets no reply: {failure.Message}",
                Step = failure.Step,
                Elapsed = Stopwatch.GetElapsedTime(begin),
            };
        }
    }
}
