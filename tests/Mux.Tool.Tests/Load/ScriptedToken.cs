using Mux.Tool.Load;

namespace Mux.Tool.Tests.Load;

/// <summary>A token whose calls are answered when the test says so.</summary>
internal sealed class ScriptedToken(CallPace pace, List<ScriptedToken> open) : CallToken(pace)
{
    private TaskCompletionSource _answer = new();

    public long Number => Pace.Number;

    public void Answer()
    {
        open.Remove(this);
        _answer.SetResult();
    }

    public override async Task MakeCallsAsync()
    {
        while (await Pace.NextAsync())
        {
            _answer = new TaskCompletionSource(); // answered by the test's thread, which is to go on here
            open.Add(this);
            await _answer.Task;
            Pace.End(isRight: true);
        }
    }
}
