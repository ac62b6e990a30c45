using Mux.Engine;
using Mux.TestSupport.Time;

namespace Mux.Core.Tests.Simulation;

/// <summary>What may happen next in a simulation, and the choice among it.</summary>
internal sealed class SimulationEvents
{
    private readonly Random _random;
    private readonly SimulatedSide[] _sides;
    private readonly ManualTime _time;
    private readonly SimulationProfile _profile;
    private readonly List<Action> _possible = [];
    private bool _healed;
    private bool _nested;

    public SimulationEvents(Random random, SimulatedSide[] sides, ManualTime time, SimulationProfile profile)
    {
        _random = random;
        _sides = sides;
        _time = time;
        _profile = profile;
        foreach (var side in sides)
        {
            side.Link.Meanwhile = () => Nest(8, () => OtherThread(side));
            side.UserCode = () => Nest(4, () => UserCode(side));
        }
    }

    private bool IsImpatient => (_profile & SimulationProfile.Impatient) != 0;

    /// <summary>Does one thing of all that may happen.</summary>
    public void Step()
    {
        _possible.Clear();
        foreach (var side in _sides)
        {
            AddUnavoidable(side);
            _possible.Add(() => StartCall(side));
            _possible.Add(() => side.Link.Outgoing.Capacity = SimulationSettings.Capacity(_random));
            if (IsImpatient) _possible.Add(() => CancelCall(side));
            if (IsRare(SimulationProfile.Draining, 100)) _possible.Add(() => side.Connection.BeginDrain(_random.Next(200_000)));
            if (IsRare(SimulationProfile.Broken, 200)) _possible.Add(() => Break(side));
        }

        _possible.Add(() => _time.Advance(TimeSpan.FromMicroseconds(_random.Next(5_000))));
        _possible[_random.Next(_possible.Count)]();
    }

    /// <summary>From here on nothing new comes up, and the pipes take everything.</summary>
    public void Heal()
    {
        _healed = true;
        foreach (var side in _sides) side.Link.Outgoing.Capacity = int.MaxValue;
    }

    /// <summary>Does one thing that happens by itself, sooner or later.</summary>
    /// <returns>False if there is nothing.</returns>
    public bool TrySettleStep()
    {
        _possible.Clear();
        foreach (var side in _sides) AddUnavoidable(side);
        if (_possible.Count == 0) return false;
        _possible[_random.Next(_possible.Count)]();
        return true;
    }

    private void AddUnavoidable(SimulatedSide side)
    {
        var link = side.Link;
        if (link.MayConnect) _possible.Add(link.Connect);
        if (link.MayDeliver) _possible.Add(() => link.Deliver(SimulationSettings.Chunk(_random)));
        if (link.MayEndBatch) _possible.Add(link.EndBatch);
        if (link.MayBeWritable) _possible.Add(link.OnWritable);
        if (link.MayClose) _possible.Add(link.OnClosed);
        if (side.WorkItems > 0) _possible.Add(side.RunWork);
        foreach (var method in side.Busy) _possible.Add(() => method.Step(_random));
    }

    private void StartCall(SimulatedSide side)
    {
        int choice = _random.Next(SimulatedContract.Methods.Count + 1);
        var method = choice < SimulatedContract.Methods.Count ? SimulatedContract.Methods[choice].Method : SimulatedContract.Missing;
        long? deadline = IsImpatient && _random.Next(3) == 0 ? _random.Next(30_000) : null;
        side.StartCall(method, SimulationSettings.BodyLength(_random, _profile), deadline);
    }

    private void CancelCall(SimulatedSide side)
    {
        var calls = side.Calls.FindAll(call => !call.IsDone && !call.CancelRequested);
        if (calls.Count > 0) CallHolder.Cancel(calls[_random.Next(calls.Count)]);
    }

    private void Break(SimulatedSide side)
    {
        switch (_random.Next(3))
        {
            case 0: side.Connection.Abort(new(CloseReason.Disposed, "Given up.")); break;
            case 1: BreakLink(side.Link); break;
            default:
                foreach (var each in _sides) each.Link.Outgoing.Break(_random.Next(each.Link.Outgoing.InFlight + 1));
                break;
        }
    }

    /// <summary>The link ends, and says so at once if no delivery is under way.</summary>
    private static void BreakLink(SimulatedLink link)
    {
        link.Close();
        if (link.MayClose) link.OnClosed();
    }

    /// <summary>What another thread may do while a sender of this side has not reported.</summary>
    private void OtherThread(SimulatedSide side)
    {
        if (IsRare(SimulationProfile.Broken, 20)) Break(side);
        else if (IsRare(SimulationProfile.Draining, 20)) side.Connection.BeginDrain(_random.Next(200_000));
        else if (IsImpatient && _random.Next(3) == 0) CancelCall(side);
        else if (side.Busy.ToList() is { Count: > 0 } busy && _random.Next(2) == 0) busy[_random.Next(busy.Count)].Step(_random);
        else StartCall(side);
    }

    /// <summary>What handlers and continuations do.</summary>
    private void UserCode(SimulatedSide side)
    {
        if (IsRare(SimulationProfile.Broken, 50)) side.Connection.Abort(new(CloseReason.Disposed, "Given up by user code."));
        else if (IsRare(SimulationProfile.Draining, 50)) side.Connection.BeginDrain(_random.Next(200_000));
        else if (IsImpatient && _random.Next(3) == 0) CancelCall(side);
        else StartCall(side);
    }

    /// <summary>Runs something inside something else, now and then, and not inside itself.</summary>
    private void Nest(int oneIn, Action action)
    {
        if (_healed || _nested || _random.Next(oneIn) > 0) return;
        _nested = true;
        action();
        _nested = false;
    }

    private bool IsRare(SimulationProfile profile, int oneIn) => (_profile & profile) != 0 && _random.Next(oneIn) == 0;
}
