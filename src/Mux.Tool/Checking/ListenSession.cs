using System.Diagnostics;
using Mux.ProtocolCases.Cases;
using Mux.ProtocolCases.Clients;
using Mux.ProtocolCases.Running;
using Mux.Tool.Serving;
using Mux.Transports;

namespace Mux.Tool.Checking;

/// <summary>Plays the server against a client that dials again and again, case by case.</summary>
internal sealed class ListenSession : IDisposable
{
    /// <summary>Number of cases in a row without the client's opening calls after which the session ends: the rest would fail in the same way.</summary>
    private const int MostStuck = 5;

    private readonly ListenPlan _plan;
    private readonly BadInputCase[] _bad;
    private readonly ClientCase[] _others;
    private readonly ITransport _transport;
    private readonly ClientArrivals _arrivals;
    private int _stuck; // consecutive cases that failed before their input was sent

    /// <exception cref="ToolException">The filter matches nothing, or the tool cannot listen at the address.</exception>
    public ListenSession(ListenPlan plan)
    {
        _plan = plan;
        _bad = [.. ClientCatalogue.Bad.Where(badInput => SpecFilter.Chooses(plan.Filter, badInput.Name))
            .OrderBy(badInput => SpecRows.NumberOf(badInput) ?? int.MaxValue)];
        _others = [.. ClientCatalogue.Others.Where(other => SpecFilter.Chooses(plan.Filter, other.Name, other.Row))];
        if (Count == 0)
        {
            throw new ToolException(ExitCode.Usage, $"--filter '{plan.Filter}': no case of a client has this number or name; without it all cases and their " +
                "names are listed.");
        }

        _transport = EngineChoice.MakeTransport(plan.Address, plan.Links);
        try
        {
            _arrivals = new ClientArrivals(_transport, plan.Address);
        }
        catch (Exception error) when (error is IOException or NotSupportedException)
        {
            (_transport as IDisposable)?.Dispose();
            throw new ToolException(ExitCode.Usage, $"--listen: {error.Message}", error);
        }

    }

    /// <summary>Number of cases to play.</summary>
    public int Count => _bad.Length + _others.Length;

    /// <summary>The address it listens at, with the actual port.</summary>
    public MuxAddress Address => _arrivals.Address;

    /// <summary>Reason why not all cases were played; null if they were, or the user interrupted.</summary>
    public string? Abandoned { get; private set; }

    /// <param name="report">Called for each finished case.</param>
    /// <param name="interrupted">Cancelled when the user interrupts; the current case does not count.</param>
    /// <returns>All cases, or those finished before the user interrupted or the client stayed away.</returns>
    /// <exception cref="ToolException">No client connected, or the peer does not speak Mux.</exception>
    public async Task<IReadOnlyList<CheckedCase>> RunAsync(Action<CheckedCase> report, CancellationToken interrupted)
    {
        var done = new List<CheckedCase>();
        try
        {
            if (!await ComesAsync(_plan.Wait, interrupted).ConfigureAwait(false))
            {
                throw new ToolException(ExitCode.Unreachable, $"No client connected to '{Address}' within {_plan.Wait.TotalSeconds:0.#} s. Start one with " +
                    $"this address: 'mux spec --client {Address}' is one, and what others have to do is in the README under 'Clients'.");
            }

            var target = await AskAsync(interrupted).ConfigureAwait(false);
            var inputs = new SpecRunner(target, _plan.Timeout);
            var runner = new ClientRunner(_arrivals, _plan.Timeout, _plan.Stall, target.Settings, _plan.Links.SharedKey);
            foreach (var badInput in _bad)
            {
                if (!await IsThereAsync(done, interrupted).ConfigureAwait(false)) return done;
                if (!Add(await CheckAsync(inputs, badInput, interrupted).ConfigureAwait(false))) return done;
            }

            foreach (var other in _others)
            {
                if (!await IsThereAsync(done, interrupted).ConfigureAwait(false)) return done;
                if (!Add(await CheckAsync(runner, other, interrupted).ConfigureAwait(false))) return done;
            }

            await runner.StopAsync(interrupted).ConfigureAwait(false);
            return done;
        }
        catch (OperationCanceledException) when (interrupted.IsCancellationRequested)
        {
            return done;
        }

        bool Add(CheckedCase one)
        {
            done.Add(one);
            report(one);
            return !IsStuck(one, done.Count);
        }
    }

    public void Dispose()
    {
        _arrivals.Dispose();
        (_transport as IDisposable)?.Dispose();
    }

    private async Task<ClientTarget> AskAsync(CancellationToken interrupted)
    {
        using var time = new CancellationTokenSource(_plan.Timeout, TimeProvider.System);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(time.Token, interrupted);
        try
        {
            return await ClientTarget.AskAsync(_arrivals, both.Token, _plan.Links.SharedKey).ConfigureAwait(false);
        }
        catch (SpecFailure failure)
        {
            throw new ToolException(ExitCode.Unreachable, $"The peer that connected to '{Address}' " +
                $"{(failure.Step?.IsOpening == true || !failure.IsForeign ? "does not behave as a client must" : "does not speak Mux")}: {failure.Message}.",
                failure);
        }
        catch (OperationCanceledException error) when (!interrupted.IsCancellationRequested)
        {
            throw new ToolException(ExitCode.Unreachable, "The client did not finish a good handshake, and answer calls, within " +
                $"{_plan.Timeout.TotalSeconds:0.#} s.", error);
        }
    }

    /// <summary>True if the client is connected for the next case; the user may have to start it again.</summary>
    private async Task<bool> IsThereAsync(List<CheckedCase> done, CancellationToken interrupted)
    {
        if (await ComesAsync(_plan.Wait, interrupted).ConfigureAwait(false)) return true;
        var last = done.Count == 0 ? "it was asked what it has" : done[^1].Name;
        Abandoned = $"No client connected within {_plan.Wait.TotalSeconds:0.#} s after {last}: {done.Count} of {Count} cases were played.";
        return false;
    }

    private async Task<CheckedCase> CheckAsync(SpecRunner inputs, BadInputCase badInput, CancellationToken interrupted)
    {
        long begin = Stopwatch.GetTimestamp();
        var result = await inputs.RunAsync(badInput, _plan.Splits[0], interrupted).ConfigureAwait(false);
        foreach (var split in _plan.Splits.Skip(1))
        {
            if (result.Verdict != SpecVerdict.Passed) break;
            if (!await ComesAsync(_plan.Timeout, interrupted).ConfigureAwait(false))
            {
                return StayedAway(CheckedCase.Of(result, Stopwatch.GetElapsedTime(begin)), $", for the input {DescribeSplit(split)}");
            }

            result = await inputs.RunAsync(badInput, split, interrupted).ConfigureAwait(false);
        }

        return await ReturnedAsync(CheckedCase.Of(result, Stopwatch.GetElapsedTime(begin)), interrupted).ConfigureAwait(false);
    }

    /// <summary>True if the client fails in the calls that it makes in every case, so that further cases tell no more.</summary>
    private bool IsStuck(CheckedCase one, int played)
    {
        if (one.Verdict == SpecVerdict.Skipped) return false;
        _stuck = one is { Verdict: SpecVerdict.Failed, Step.IsOpening: true } ? _stuck + 1 : 0;
        if (_stuck < MostStuck || played == Count) return false;
        Abandoned = $"{MostStuck} cases in a row failed at the first three calls of the client, the last one with: {one.Got}. {played} of {Count} cases " +
            "were played; fix these calls first.";
        return true;
    }

    private async Task<CheckedCase> CheckAsync(ClientRunner runner, ClientCase other, CancellationToken interrupted)
    {
        long begin = Stopwatch.GetTimestamp();
        var result = await runner.RunAsync(other, interrupted).ConfigureAwait(false);
        return await ReturnedAsync(
            new CheckedCase(other.Name, other.Row, other.Sent, other.Expected, result.Got, result.Verdict, result.Step, Stopwatch.GetElapsedTime(begin)),
            interrupted).ConfigureAwait(false);
    }

    /// <summary>Checks that a client reconnects by itself after bad input.</summary>
    private async Task<CheckedCase> ReturnedAsync(CheckedCase done, CancellationToken interrupted)
    {
        if (done.Verdict != SpecVerdict.Passed || await ComesAsync(_plan.Timeout, interrupted).ConfigureAwait(false)) return done;
        return StayedAway(done, string.Empty);
    }

    private CheckedCase StayedAway(CheckedCase done, string purpose) => done with
    {
        Verdict = SpecVerdict.Failed,
        Got = $"{done.Got}; and then no new connection for {_plan.Timeout.TotalSeconds:0.#} s{purpose}",
        Step = new SpecStep(1, string.Empty, "the client's next connection"),
    };

    private static string DescribeSplit(SpecSplit split) => split switch
    {
        SpecSplit.Whole => "as a whole",
        SpecSplit.Half => "in pieces",
        _ => "byte by byte",
    };

    private async Task<bool> ComesAsync(TimeSpan patience, CancellationToken interrupted)
    {
        using var time = new CancellationTokenSource(patience, _plan.Time);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(time.Token, interrupted);
        try
        {
            await _arrivals.WaitAsync(both.Token).ConfigureAwait(false);
            return true;
        }
        catch (OperationCanceledException) when (!interrupted.IsCancellationRequested)
        {
            return false;
        }
    }
}
