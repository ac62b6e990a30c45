namespace Seeds.Contracts;

/// <summary>The calls of dotnet-rpc-benchmark that need no database.</summary>
[MuxService("seeds.Users")]
internal interface IUsers
{
    ValueTask<string> HelloAsync(string name);

    ValueTask<User> RegisterAsync(string name, string email, string password, string city, string country);

    ValueTask<List<User>> ListAsync(int count);

    ValueTask<int> AddAsync(int a, int b);
}
