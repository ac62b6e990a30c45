#!/usr/bin/env bash
# Uses the packed packages as a stranger would: empty folders, an empty package cache, and a package source mapping that takes Mux from the pack output and
# everything else from the ordinary feed. Usage: prove.sh PACKAGES-FOLDER EMPTY-FOLDER
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
packages=$(cd "$1" && pwd)
mkdir -p "$2"
work=$(cd "$2" && pwd)
case "$work" in "$root"/*) echo "$work lies inside the repository, whose settings would apply." >&2; exit 1 ;; esac

version=$(basename "$packages"/Mux.Core.*.nupkg .nupkg | sed 's/^Mux\.Core\.//')
export NUGET_PACKAGES="$work/cache"

cat >"$work/nuget.config" <<EOF
<configuration>
  <packageSources><add key="built" value="$packages" /></packageSources>
  <packageSourceMapping>
    <packageSource key="built"><package pattern="Mux" /><package pattern="Mux.*" /></packageSource>
    <packageSource key="nuget.org"><package pattern="*" /></packageSource>
  </packageSourceMapping>
</configuration>
EOF

step() { printf -- '-- %s (%ss)\n' "$1" "$SECONDS"; }
expect() { grep -qF "$1" "$2" || { echo "Expected '$1' in:" >&2; cat "$2" >&2; exit 1; }; }

step "hello world from one package reference"
mkdir "$work/hello" && cd "$work/hello"
cat >hello.csproj <<EOF
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>net10.0</TargetFramework>
    <Nullable>enable</Nullable>
    <ImplicitUsings>enable</ImplicitUsings>
    <TreatWarningsAsErrors>true</TreatWarningsAsErrors>
  </PropertyGroup>
  <ItemGroup><PackageReference Include="Mux" Version="$version" /></ItemGroup>
</Project>
EOF
sed -n '/<!-- hello -->/,/<!-- \/hello -->/p' "$root/README.md" | sed '/^```/d; /^<!--/d' >Program.cs
dotnet build -c Release
timeout 60 dotnet run -c Release --no-build >out.txt
expect "Hello, world!" out.txt

step "types and contracts from .proto files, and the place of a mistake in one"
mkdir -p "$work/proto/vendor/acme" && cd "$work/proto"
sed 's|<ItemGroup>|&<MuxProto Include="vendor/**/*.proto" />|' "$work/hello/hello.csproj" >payments.csproj
cp "$root"/samples/14-proto/*.cs .
cp "$root"/samples/14-proto/vendor/acme/*.proto vendor/acme
dotnet build -c Release
timeout 60 dotnet run -c Release --no-build >out.txt
expect "The latest one that is paid: tea" out.txt
sed -i 's/  string currency = 1;/  string currency = 2;/' vendor/acme/money.proto
! dotnet build -c Release --no-restore >out.txt || { echo "A number that is used twice was taken." >&2; exit 1; }
expect "vendor/acme/money.proto(9,17): error MUX0089: 'acme/money.proto' cannot be imported: " out.txt

step "a contracts assembly with Mux.Abstractions alone"
mkdir "$work/contracts" && cd "$work/contracts"
cat >contracts.csproj <<EOF
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <TargetFramework>net10.0</TargetFramework>
    <Nullable>enable</Nullable>
    <TreatWarningsAsErrors>true</TreatWarningsAsErrors>
    <EmitCompilerGeneratedFiles>true</EmitCompilerGeneratedFiles>
    <CompilerGeneratedFilesOutputPath>generated</CompilerGeneratedFilesOutputPath>
  </PropertyGroup>
  <ItemGroup>
    <PackageReference Include="Mux.Abstractions" Version="$version" />
    <Compile Remove="generated/**" />
  </ItemGroup>
</Project>
EOF
cat >IClock.cs <<'EOF'
using System.Threading;
using System.Threading.Tasks;
using Mux;

namespace Contracts;

[MuxService("clock")]
public interface IClock
{
    ValueTask<long> Ticks(CancellationToken cancellationToken = default);
}
EOF
dotnet build -c Release
[ -n "$(find generated -name '*.cs' -print -quit)" ] || { echo "The generator emitted nothing." >&2; exit 1; }

step "the link of a mistake leads to its page in the package, unless the pages are on the web"
cat >Mistake.cs <<'EOF'
[Mux.MuxService("mistake")]
public interface IMistake
{
    int Answer();
}
EOF
if dotnet build -c Release >mistake.txt; then echo "A mistake was built." >&2; exit 1; fi
rm Mistake.cs
link=$(grep -oP 'MUX0007: .*\(\K[^()]*MUX0007\.md(?=\))' mistake.txt | head -1 || true)
case "$link" in
  https://*) ;;
  *) grep -q '^# MUX0007: ' "$NUGET_PACKAGES/$link" || { echo "'$link' is no page below $NUGET_PACKAGES." >&2; cat mistake.txt >&2; exit 1; } ;;
esac
[ -s "$NUGET_PACKAGES/mux.abstractions/${version,,}/docs/diagnostics/README.md" ] || { echo "The package has no index of diagnostics." >&2; exit 1; }

step "contracts that older programs share: attributes alone for netstandard2.0, and all but the runtime for .NET 8, which runs them"
mkdir -p "$work/shared" "$work/older" && cd "$work/shared"
cat >shared.csproj <<EOF
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <TargetFrameworks>netstandard2.0;net8.0;net10.0</TargetFrameworks>
    <Nullable>enable</Nullable>
    <LangVersion Condition="'\$(TargetFramework)' == 'netstandard2.0'">12</LangVersion>
    <TreatWarningsAsErrors>true</TreatWarningsAsErrors>
  </PropertyGroup>
  <ItemGroup><PackageReference Include="Mux.Abstractions" Version="$version" /></ItemGroup>
</Project>
EOF
cat >IStock.cs <<'EOF'
using System.Runtime.Serialization;
using System.Threading;
using System.Threading.Tasks;
using Mux;

[assembly: MuxCompatibilityLevel(MuxCompatibilityLevel.Level300)]

namespace Shared;

[MuxService("stock")]
public interface IStock
{
    [MuxMethod(Idempotent = true)]
    Task<Page<Item>> FindAsync(Item item, CancellationToken cancellationToken = default);
}

[DataContract]
public sealed class Item
{
    [DataMember(Order = 1)] private int _id;

    [DataMember(Order = 2)] public string? Name { get; set; }

    public static Item With(int id, string name) => new Item { _id = id, Name = name };

    public override string ToString() => $"{_id} {Name}";
}

[DataContract]
public sealed class Page<T>
{
    [DataMember(Order = 1)] public T[]? Items { get; set; }
}

public static class Refusal
{
    public static MuxException Of(string text) => new MuxException(MuxStatus.NotFound, text);
}
EOF
dotnet build -c Release
cd "$work/older"
cat >older.csproj <<'EOF'
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>net8.0</TargetFramework>
    <Nullable>enable</Nullable>
    <ImplicitUsings>enable</ImplicitUsings>
    <TreatWarningsAsErrors>true</TreatWarningsAsErrors>
  </PropertyGroup>
  <ItemGroup><ProjectReference Include="../shared/shared.csproj" /></ItemGroup>
</Project>
EOF
cat >Program.cs <<'EOF'
using Mux.Contracts;
using Mux.Serialization;
using Shared;

ServiceContract<IStock>.Get().Describe(new Echo(Item.With(150, "nut")));

internal sealed class Echo(Item item) : IMethodVisitor
{
    public void Unary<TRequest, TResponse>(UnaryMethod<TRequest, TResponse> method)
    {
        var buffer = MessageBuffer.Rent();
        var writer = buffer.CreateWriter();
        ((MessageCodec<Page<Item>>)(object)method.Responses).Encode(ref writer, new Page<Item> { Items = [item] });
        var bytes = writer.Written.ToArray();
        var read = ((MessageCodec<Page<Item>>)(object)method.Responses).Decode(bytes);
        Console.WriteLine($".NET {Environment.Version.Major}: {Convert.ToHexString(bytes)} {read!.Items![0]}");
    }
}
EOF
if dotnet publish -c Release -r linux-x64 --self-contained -o "$work/older-program" >publish.txt; then
  timeout 60 "$work/older-program/older" >out.txt
  expect ".NET 8: 0A0808960112036E7574 150 nut" out.txt
elif grep -qE 'NU1101|NU1102|NU1103' publish.txt; then
  echo "The feed has no runtime of .NET 8: the program was not run."
else
  cat publish.txt >&2
  exit 1
fi
cat >IHidden.cs <<'EOF'
using System.Runtime.Serialization;

[Mux.MuxService("hidden")]
public interface IHidden
{
    ValueTask<Box<string>> Get();
}

[DataContract]
public sealed class Box<T>
{
    [DataMember(Order = 1)] public T? Content { get; init; }
}
EOF
! dotnet build -c Release >out.txt || { echo "A member that .NET 8 cannot set was taken." >&2; exit 1; }
expect "error MUX0017: 'Box<string>.Content' cannot be used as a field: before .NET 9" out.txt

step "a service whose messages are another project's: private members are told, public ones are sent"
mkdir "$work/messages" "$work/service" && cd "$work/messages"
cat >messages.csproj <<'EOF'
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <TargetFramework>net10.0</TargetFramework>
    <Nullable>enable</Nullable>
    <NoWarn>$(NoWarn);CS0169;CS0414</NoWarn>
  </PropertyGroup>
</Project>
EOF
write_message() {
  cat >"$work/messages/Item.cs" <<EOF
using System.Runtime.Serialization;

namespace Messages;

[DataContract]
public sealed class Item
{
    [DataMember(Order = 1)] public int Id { get; set; }
    [DataMember(Order = 2)] $1 int _count = 300;

    $1 bool ShouldSerializeId() => true;

    [OnSerializing] $1 void Count(StreamingContext context) => _count++;
}
EOF
}
cd "$work/service"
cat >service.csproj <<EOF
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>net10.0</TargetFramework>
    <Nullable>enable</Nullable>
    <ImplicitUsings>enable</ImplicitUsings>
    <TreatWarningsAsErrors>true</TreatWarningsAsErrors>
  </PropertyGroup>
  <ItemGroup>
    <PackageReference Include="Mux" Version="$version" />
    <ProjectReference Include="../messages/messages.csproj" />
  </ItemGroup>
</Project>
EOF
# The other side takes the message as bytes: a message with them as field 1 has the body of one with an item there.
cat >Program.cs <<'EOF'
using System.Runtime.Serialization;
using Messages;
using Mux;

await using var server = new MuxServer("mux://127.0.0.1:0");
server.AddService<IRaw>(new Raw()).Start();
await using var channel = MuxChannel.Create(server.Address.ToString());
Console.WriteLine(await channel.CreateProxy<IItems>().SendAsync(new Box { Item = new Item() }));

[MuxService("items")]
public interface IItems
{
    ValueTask<string> SendAsync(Box box, CancellationToken cancellationToken = default);
}

[MuxService("items")]
public interface IRaw
{
    ValueTask<string> SendAsync(RawBox box, CancellationToken cancellationToken = default);
}

[DataContract]
public sealed class Box
{
    [DataMember(Order = 1)] public Item? Item { get; set; }
}

[DataContract]
public sealed class RawBox
{
    [DataMember(Order = 1)] public byte[]? Item { get; set; }
}

internal sealed class Raw : IRaw
{
    public ValueTask<string> SendAsync(RawBox box, CancellationToken cancellationToken) => new(Convert.ToHexStringLower(box.Item!));
}
EOF
write_message private
! dotnet build -c Release >out.txt || { echo "A private field of another project's message was left out without a word." >&2; exit 1; }
for member in _count ShouldSerializeId Count; do expect "error MUX0017: 'Messages.Item.$member' cannot be used as a field" out.txt; done
! dotnet build -c Release -p:CompileUsingReferenceAssemblies=true >out.txt || { echo "The message of a reference assembly was taken." >&2; exit 1; }
expect "error MUX0068: 'Messages.Item' comes from a reference assembly of 'messages'" out.txt
write_message public
dotnet build -c Release
timeout 60 dotnet run -c Release --no-build >out.txt
expect "080010ad02" out.txt

step "a contract whose messages are another library's, with the package of its serializer alone"
mkdir "$work/serializer" && cd "$work/serializer"
sed "s/Mux\.Abstractions/Mux.Serialization.GoogleProtobuf/" "$work/contracts/contracts.csproj" >serializer.csproj
cat >ITimer.cs <<'EOF'
using System.Threading.Tasks;
using Google.Protobuf.WellKnownTypes;
using Mux;
using Mux.Serialization.GoogleProtobuf;

namespace Contracts;

[MuxService("timer", Serializer = typeof(GoogleProtobufSerializer))]
public interface ITimer
{
    ValueTask<Timestamp> In(Duration duration);
}
EOF
dotnet build -c Release
grep -rq "PayloadGuard.Write<global::Mux.Serialization.GoogleProtobuf.GoogleProtobufSerializer" generated || { echo "The generator does not use the serializer." >&2; exit 1; }

step "the tool"
dotnet tool install Mux.Tool --version "$version" --tool-path "$work/tool" --configfile "$work/nuget.config"
if [ -f "$packages/Mux.Tool.linux-x64.$version.nupkg" ] && [ "$(uname -m)" = x86_64 ]; then
  [ -d "$work/tool/.store/mux.tool/$version/mux.tool.linux-x64" ] || { echo "The package for linux-x64 was not taken." >&2; exit 1; }
fi
"$work/tool/mux" bench --duration 2s --warmup 1s --quiet --json "$work/tool.json"
expect '"errors": 0' "$work/tool.json"

step "a contract file: what is new is recorded, and what breaks others is accepted, by the commands that the pages and the build name"
mkdir "$work/recorded" && cd "$work/recorded"
item() { grep -o "<$1 .*/>" "$root/docs/contract-files.md" | head -1; }
cat >recorded.csproj <<EOF
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <TargetFramework>net10.0</TargetFramework>
    <Nullable>enable</Nullable>
    <TreatWarningsAsErrors>true</TreatWarningsAsErrors>
    $(grep -o '<WarningsNotAsErrors>.*</WarningsNotAsErrors>' "$root/docs/diagnostics/MUX0086.md")
  </PropertyGroup>
  <ItemGroup>
    <PackageReference Include="Mux.Abstractions" Version="$version" />
    $(item AdditionalFiles)
  </ItemGroup>
</Project>
EOF
cat >IOrders.cs <<'EOF'
using System.Runtime.Serialization;
using System.Threading.Tasks;

namespace Shop;

[DataContract]
public sealed class Order
{
    [DataMember(Order = 1)] public int Id { get; set; }
    [DataMember(Order = 2)] public string? Title { get; set; }
}

[Mux.MuxService("Shop.Orders")]
public interface IOrders
{
    ValueTask<Order> Find(int id);
}
EOF
as_told() { PATH="$work/tool:$PATH" bash -c "$1" >out.txt 2>&1 || { cat out.txt >&2; exit 1; }; }
as_told "mux contract update"
expect "Contracts/Shop.proto: created." out.txt
sed -i 's/^ *.DataMember(Order = 1).*/&\n    [DataMember(Order = 9)] public string? Nick { get; set; }/' IOrders.cs
dotnet build --no-restore >out.txt
expect "warning MUX0086: 'Shop.Order.nick' is not recorded: new field 9; record it with 'mux contract update'" out.txt
as_told "$(grep -o "record it with '[^']*'" out.txt | head -1 | cut -d"'" -f2)"
expect "'Shop.Order.nick' recorded: new field 9." out.txt
sed -i '/Title/d' IOrders.cs
! dotnet build --no-restore >out.txt || { echo "A field that a contract file records was removed without a word." >&2; exit 1; }
expect "error MUX0073: 'Shop.Order.title' was field 2 of type string and is gone; " out.txt
as_told "$(grep -o "accept it with 'mux contract update --accept \"reason\"'" out.txt | head -1 | cut -d"'" -f2)"
expect "'Shop.Order.title' accepted: MUX0073." out.txt
dotnet build --no-restore -p:ContinuousIntegrationBuild=true

step "hello world trimmed and self-contained"
cd "$work/hello"
dotnet publish -c Release -r linux-x64 --self-contained -o "$work/trimmed" -p:PublishTrimmed=true -p:TrimMode=full -p:IsAotCompatible=true \
  -p:TrimmerSingleWarn=false -p:ILLinkTreatWarningsAsErrors=true
timeout 60 "$work/trimmed/hello" >trimmed.txt
expect "Hello, world!" trimmed.txt
echo "trimmed: $(du -sh "$work/trimmed" | cut -f1)"

step "templates"
export DOTNET_CLI_HOME="$work/home" # installed templates are kept below it
mkdir "$DOTNET_CLI_HOME" "$work/new" && cd "$work/new"
dotnet new install "$packages/Mux.Templates.$version.nupkg"
began=$EPOCHREALTIME
dotnet new mux -n Shop.Front-1 -o shop # a name that is no identifier
cd shop
coproc shop { exec dotnet run --project src/Shop.Front-1.Server -c Release; }
from_shop=${shop[0]} shop_id=$shop_PID
trap 'kill "$shop_id" 2>/dev/null || true' EXIT
while read -r -t 300 line <&"$from_shop"; do
  [[ $line == *"Application started"* ]] && break
done
[[ ${line:-} == *"Application started"* ]] || { echo "The server of 'dotnet new mux' did not start." >&2; exit 1; }
timeout 300 dotnet run --project src/Shop.Front-1.Client -c Release >out.txt
expect "Hello, Mux!" out.txt
took=$(((${EPOCHREALTIME/[.,]/} - ${began/[.,]/}) / 1000000))
echo "dotnet new mux: the first reply came after $took s (goal: 60)."
[ "$took" -le 300 ] || { echo "That is more than any machine should take." >&2; exit 1; }
kill "$shop_id" && wait "$shop_id" || true
trap - EXIT
dotnet test -c Release >out.txt || { cat out.txt >&2; exit 1; }
grep -qE 'Passed: +2\b|succeeded: 2\b' out.txt || { echo "The tests of 'dotnet new mux' are not two." >&2; cat out.txt >&2; exit 1; }
for part in contract server client; do
  dotnet new "mux-$part" -n "Shop.$part" -o "$work/new/$part"
  dotnet build "$work/new/$part" -c Release
done
dotnet new uninstall Mux.Templates >/dev/null
if grep -rqE '_VERSION|MuxApp' "$work/new" --include='*.cs' --include='*.csproj' --include='*.md' --include='*.slnx'; then echo "A token of the templates was left." >&2; exit 1; fi
unset DOTNET_CLI_HOME

step "packages are whole"
libraries="Mux Mux.Abstractions Mux.AspNetCore Mux.Core Mux.Discovery.Dns Mux.Discovery.Etcd Mux.Discovery.Kubernetes Mux.Discovery.ServiceDiscovery Mux.Gateway Mux.Redis Mux.Serialization.GoogleProtobuf Mux.Serialization.ProtobufNet"
for package in $libraries Mux.Tool Mux.Templates; do
  file="$packages/$package.$version.nupkg"
  listing=$(unzip -l "$file")
  for part in README.md icon.png "$package.nuspec"; do
    grep -q "$part" <<<"$listing" || { echo "$file has no $part." >&2; exit 1; }
  done
  about=$(unzip -p "$file" "$package.nuspec") # what a gallery shows
  for part in "<icon>icon.png</icon>" "<readme>README.md</readme>" '<license type="expression">Apache-2.0</license>' "<tags>" "<description>"; do
    grep -qF "$part" <<<"$about" || { echo "$file says no $part." >&2; exit 1; }
  done
  ! grep -q "<description>Package Description" <<<"$about" || { echo "$file has no description of its own." >&2; exit 1; }
done
listing=$(unzip -l "$packages/Mux.Abstractions.$version.nupkg") # not a pipe: a grep that has found its line leaves unzip a closed one, and pipefail takes that for "not found"
for part in Mux.Generators.dll Mux.Generators.CodeFixes.dll; do
  grep -q "analyzers/dotnet/cs/$part" <<<"$listing" || { echo "Mux.Abstractions brings no $part." >&2; exit 1; }
done
for part in {build,buildTransitive}/Mux.Abstractions.{props,targets}; do
  grep -q " $part" <<<"$listing" || { echo "Mux.Abstractions has no $part." >&2; exit 1; }
done
for framework in net10.0 net8.0 netstandard2.0; do
  grep -q " lib/$framework/Mux.Abstractions.dll" <<<"$listing" || { echo "Mux.Abstractions is not for $framework." >&2; exit 1; }
done
for package in $libraries; do
  listing=$(unzip -l "$packages/$package.$version.nupkg")
  grep -q " lib/net10.0/$package.xml" <<<"$listing" || { echo "$package has no texts for editors." >&2; exit 1; }
  listing=$(unzip -l "$packages/$package.$version.snupkg")
  grep -q " lib/net10.0/$package.pdb" <<<"$listing" || { echo "$package has no symbols." >&2; exit 1; }
done

# Of the commit that was packed, built by a clone in another folder.
step "the same source makes the same bytes"
if [ "${CI:-}" = true ] && [ -z "$(git -C "$root" status --porcelain)" ]; then
  git clone -q "$root" "$work/clone"
  dotnet build "$work/clone/src/Mux.Abstractions" -c Release -p:RunAnalyzersDuringBuild=false
  mkdir "$work/packed" && unzip -q "$packages/Mux.Abstractions.$version.nupkg" -d "$work/packed"
  for file in lib/net10.0/Mux.Abstractions.dll lib/net8.0/Mux.Abstractions.dll analyzers/dotnet/cs/Mux.Generators.dll; do
    built=$(basename "$file" .dll) framework=$(basename "$(dirname "$file")")
    folder=$work/clone/artifacts/bin/$built/release
    [ "$framework" = cs ] || folder=${folder}_$framework
    cmp "$work/packed/$file" "$folder/$built.dll" || { echo "$file is not what the same commit makes elsewhere." >&2; exit 1; }
  done
else
  echo "not compared: the packages are not those of a commit, built with CI=true"
fi
echo "packages proved"
