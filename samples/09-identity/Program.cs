// Who a client is, and what it may call: dotnet run -c Release
using System.Security.Cryptography;
using Identity;
using Mux;
using Mux.Identity;

// In a real system these are in the configuration of both sides. A key is never sent, and both sides prove that they have it ("shared-key 3" in PROTOCOL.md): the client first, the server in return.
var clerk = new SharedKey("clerk-1", RandomNumberGenerator.GetBytes(32), "clerk");
var manager = new SharedKey("manager-1", RandomNumberGenerator.GetBytes(32), "manager");
var forged = new SharedKey("manager-1", RandomNumberGenerator.GetBytes(32));

await using var server = new MuxServer(new MuxServerOptions
{
    Address = "mux://127.0.0.1:0",
    Identity = new MuxIdentityOptions
    {
        SharedKeys = { clerk, manager },
        AllowAnonymous = true,
        Policies = { ["trusted"] = user => user.Identity?.Name == "manager-1" },
    },
}).AddService<IVault>(new Vault());
server.Start();

await TellAsync("Nobody in particular:", null);
await TellAsync("A clerk; the server proves in return that it has the key too:", new SharedKeyCredentials(clerk));
await TellAsync("A manager:", new SharedKeyCredentials(manager));
await TellAsync("Somebody who says that he is a manager:", new SharedKeyCredentials(forged));

async Task TellAsync(string title, MuxCredentials? credentials)
{
    Console.WriteLine(title);
    await using var channel = MuxChannel.Create(new MuxChannelOptions { Address = server.Address.ToString(), Credentials = credentials });
    var vault = channel.CreateProxy<IVault>();
    await TryAsync(() => vault.OpeningHours());
    await TryAsync(() => vault.Open(7));
    await TryAsync(() => vault.Empty(7));
}

static async Task TryAsync(Func<ValueTask<string>> call)
{
    try
    {
        Console.WriteLine($"  {await call()}");
    }
    catch (MuxException e)
    {
        Console.WriteLine($"  {e.Status}");
    }
}
