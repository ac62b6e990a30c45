using System.Globalization;
using Seeds.Contracts;

namespace Seeds.Serving;

/// <summary>The work that dotnet-rpc-benchmark does: makes each reply anew.</summary>
internal sealed class UserService : IUsers
{
    public ValueTask<string> HelloAsync(string name) => new($"hello {name}");

    public ValueTask<User> RegisterAsync(string name, string email, string password, string city, string country) => new(new User
    {
        Id = Guid.NewGuid().ToString("N"),
        Name = name,
        Email = email,
        Password = password,
        City = city,
        Country = country,
        Created = Environment.TickCount64,
    });

    public ValueTask<List<User>> ListAsync(int count)
    {
        var users = new List<User>(count);
        for (int i = 0; i < count; i++)
        {
            users.Add(new User
            {
                Id = i.ToString(CultureInfo.InvariantCulture),
                Name = "henryfan",
                Email = "henryfan@msn.com",
                City = "guangzhou",
                Country = "china",
                Password = "12345678",
                Created = Environment.TickCount64,
            });
        }

        return new(users);
    }

    public ValueTask<int> AddAsync(int a, int b) => new(a + b);
}
