using Mux;
using Mux.Identity;

namespace Shop;

public static class SharedKeysInCode
{
    public static (MuxServerOptions Server, MuxChannelOptions Client) Create(byte[] key)
    {
        var server = new MuxServerOptions { Address = "mux://127.0.0.1:7070", Identity = new MuxIdentityOptions() };
        server.Identity.SharedKeys.Add(new SharedKey("c1", key, ["staff"])); // 32 random bytes or more; a client with this key has the role
        var client = new MuxChannelOptions
        {
            Address = "mux://127.0.0.1:7070",
            Credentials = new SharedKeyCredentials(new SharedKey("c1", key)),
        };
        return (server, client);
    }
}
