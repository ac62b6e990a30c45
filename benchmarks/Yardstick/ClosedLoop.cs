using System.Diagnostics;
using Mux.Tool.Measuring;

namespace Yardstick;

/// <summary>All calls of one connection: each made as soon as the one before it in its place is answered.</summary>
internal sealed class ClosedLoop(ClientConnection connection, int inFlight, LatencyRecorder? recorder)
{
    // Written by the loop's thread, but for the first calls.
    private long _done;
    private long _errors;

    public long Done => Volatile.Read(ref _done);

    public long Errors => Volatile.Read(ref _errors) + connection.UnknownReplies;

    public void Start()
    {
        for (int i = 0; i < inFlight; i++) _ = CallAsync(i + 1);
    }

    private async Task CallAsync(long number)
    {
        long start = recorder is null ? 0 : Stopwatch.GetTimestamp();
        for (; ; number += inFlight)
        {
            var employee = await connection.SearchAsync(new SearchEmployee { Id = 1, RequestTime = number }).ConfigureAwait(false);
            if (employee.RequestTime != number || employee.Country?.Length != 3) _errors++;
            _done++;
            if (recorder is null) continue;
            long now = Stopwatch.GetTimestamp();
            recorder.Record(now - start);
            start = now;
        }
    }
}
