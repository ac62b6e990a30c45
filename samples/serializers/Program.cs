// Messages in other formats than the generated codec's: dotnet run -c Release
using Mux;
using Mux.Serialization.Raw;
using Serializers;

await using var server = new MuxServer("mux://127.0.0.1:0").AddService<ICatalog>(new Catalog()).AddService<IPictures>(new Pictures());
server.Start();
await using var channel = await MuxChannel.ConnectAsync(server.Address.ToString());

var catalog = channel.CreateProxy<ICatalog>();
Console.WriteLine(await catalog.Find(new FindArticle("pear")));
await foreach (var article in catalog.List(new FindArticle("apple"))) Console.WriteLine(article);

var pictures = channel.CreateProxy<IPictures>();
using var picture = PooledBytes.Rent(1024 * 1024);
picture.Span.Fill(0x0f);
using var inverted = await pictures.Invert(picture); // from here on picture is empty-handed
Console.WriteLine($"{await pictures.Describe("inverted")} of {inverted.Length} bytes, the first is 0x{inverted.Span[0]:x2}");
