using Hr;
using Mux.Description;

namespace Shop;

public static class Export
{
    public static void Write(string folder)
    {
        var set = new ContractSetBuilder().Add<IReader>().Add<IOrders>().Build();
        foreach (var (name, text) in set.ToProtoFiles())
        {
            var path = Path.Combine(folder, name);
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            File.WriteAllText(path, text);
        }
    }
}
