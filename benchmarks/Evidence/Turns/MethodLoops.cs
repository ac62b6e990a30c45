using Evidence.Methods;

namespace Evidence.Turns;

/// <summary>Loops that call many methods in turn, and are spread over all of them.</summary>
internal sealed class MethodLoops(MethodCall[] calls) : CallLoops
{
    protected override async Task RunAsync(double share)
    {
        int next = (int)(share * calls.Length);
        while (!IsOver)
        {
            await calls[next].MakeAsync(next);
            Answered++;
            if (++next == calls.Length) next = 0;
        }
    }
}
