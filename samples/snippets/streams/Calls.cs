using Mux;

namespace Files;

public static class StoreCalls
{
    public static async Task CallAsync(IStore store, CancellationToken cancellationToken)
    {
        await foreach (var entry in store.ReadAsync(from: 0, cancellationToken))
        {
            Console.WriteLine(entry.Text);
            if (entry.Text.Length == 0) break; // leaving the loop cancels the call
        }

        await using (var content = await store.DownloadAsync("today", cancellationToken)) // a missing file fails here
        await using (var file = File.Create("today.log"))
        {
            await content.CopyToAsync(file, cancellationToken);
        }

        await using var upload = File.OpenRead("today.log");
        await store.UploadAsync("copy", upload, cancellationToken);
    }
}
