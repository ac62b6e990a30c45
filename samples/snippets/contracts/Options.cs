using Mux;

namespace Hr;

[MuxService("hr.Archive")]
public interface IArchive
{
    ValueTask<Employee> GetAsync(int id, MuxCallOptions? options = null, CancellationToken cancellationToken = default);
}

public static class ArchiveCalls
{
    public static async Task CallAsync(IArchive archive, IReader reader)
    {
        var response = new MuxMetadata();
        var options = new MuxCallOptions { Timeout = TimeSpan.FromSeconds(1), Metadata = new() { ["tenant"] = "ada" }, ResponseMetadata = response };
        await archive.GetAsync(1, options);
        Console.WriteLine(response["served-by"]);

        // For a method without the parameter.
        using (new MuxCallOptions { Timeout = TimeSpan.FromSeconds(1) }.Apply()) await reader.GetAsync(1);
    }
}
