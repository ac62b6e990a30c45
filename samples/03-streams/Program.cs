// A store of log entries with a stream of each kind: dotnet run -c Release
using System.Threading.Channels;
using Mux;
using Streams;

var store = new LogStore();
await using var server = new MuxServer("mux://127.0.0.1:0").AddService<ILogs>(store);
server.Start();
await using var channel = await MuxChannel.ConnectAsync(server.Address.ToString());
var logs = channel.CreateProxy<ILogs>();

// A client stream. The producer runs as fast as the server takes its entries.
Console.WriteLine($"Client stream: {await logs.Append(Entries(20_000)):N0} entries appended by one call.");

// A server stream, left early: leaving the loop disposes the enumerator, and that cancels the call.
var left = new TaskCompletionSource<int>(TaskCreationOptions.RunContinuationsAsynchronously);
store.Left = left.SetResult;
await foreach (var entry in logs.Follow(from: 100))
{
    Console.WriteLine($"Server stream: {entry.Number} at {entry.At:HH:mm:ss} UTC: {entry.Text}");
    if (entry.Number == 102) break;
    await Task.Delay(100); // a slow reader
}

// Back-pressure: the handler had 19,900 entries to send, and was held up when the window of its reader was full: 64 KiB, each entry charged 64 bytes or more.
Console.WriteLine($"               3 entries taken; the handler has read {await left.Task:N0} of 19,900 and was told to stop.");

// A duplex stream: here each question waits for the answer to the one before; nothing demands that.
var words = Channel.CreateUnbounded<string>();
words.Writer.TryWrite("disk");
await foreach (int count in logs.Count(words.Reader.ReadAllAsync()))
{
    Console.WriteLine($"Duplex:        {count:N0} entries.");
    if (count == 0 || !words.Writer.TryWrite("nothing of this kind")) words.Writer.Complete();
}

// A stream of bytes. The await completes with the first bytes, so a failure to open the file would be thrown by it.
await using (var export = await logs.Export())
{
    long bytes = 0;
    var buffer = new byte[64 * 1024];
    while (await export.ReadAsync(buffer) is > 0 and var read) bytes += read;
    Console.WriteLine($"Bytes:         {bytes:N0} bytes exported.");
}

// Disposing it half-way cancels the call: the rest is not sent, and the server disposes its file.
using (var reader = new StreamReader(await logs.Export())) Console.WriteLine($"               Only the first line of it: {await reader.ReadLineAsync()}");
Console.WriteLine($"Calls still open: {channel.GetStatistics().CallsActive}.");

static async IAsyncEnumerable<LogEntry> Entries(int count)
{
    for (int i = 0; i < count; i++)
    {
        if (i % 1_000 == 999) await Task.Yield();
        yield return new LogEntry(i, i % 7 == 0 ? $"disk {i % 5} is slow: {i} ms" : "all is well", DateTime.UtcNow);
    }
}
