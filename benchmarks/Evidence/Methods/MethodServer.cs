namespace Evidence.Methods;

/// <summary>The other process: serves all methods until its standard input ends.</summary>
internal static class MethodServer
{
    /// <param name="assembly">Where the contracts are.</param>
    public static async Task ServeAsync(string assembly)
    {
        await using var server = new MuxServer("mux://127.0.0.1:0");
        MethodAssembly.Load(assembly).AddServices(server);
        server.Start();
        Console.WriteLine(server.Address);
        await Console.In.ReadToEndAsync();
    }
}
